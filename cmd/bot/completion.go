package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// CompletionCmd prints a completion script made from the grammar of the command line.
type CompletionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints the script. bash and zsh share one: zsh reads it through bashcompinit.
func (c CompletionCmd) Run(s std, k *kong.Context) error {
	words := completions(k.Model.Node)
	var b strings.Builder
	switch c.Shell {
	case "fish":
		for _, path := range sortedKeys(words) {
			cond := "__fish_use_subcommand"
			if path != "" {
				parts := strings.Fields(path)
				cond = "__fish_seen_subcommand_from " + parts[len(parts)-1]
			}
			fmt.Fprintf(&b, "complete -c holdpoint -f -n '%s' -a '%s'\n", cond, strings.Join(words[path], " "))
		}
	default:
		if c.Shell == "zsh" {
			b.WriteString("autoload -U +X bashcompinit && bashcompinit\n")
		}
		b.WriteString("_holdpoint() {\n  local path=\"\" w\n  for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
			"    case \"$w\" in -*) ;; *) path=\"${path:+$path }$w\" ;; esac\n  done\n  local words=\"\"\n  case \"$path\" in\n")
		for _, path := range sortedKeys(words) {
			fmt.Fprintf(&b, "    %q) words=%q ;;\n", path, strings.Join(words[path], " "))
		}
		b.WriteString("  esac\n  COMPREPLY=( $(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\") )\n" +
			"  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=( $(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\") )\n}\ncomplete -F _holdpoint holdpoint\n")
	}
	_, err := fmt.Fprint(s.out, b.String())
	return err
}

// completions gives, for every command by its path, the sub-commands and flags that may follow it.
func completions(n *kong.Node) map[string][]string {
	out := map[string][]string{}
	var walk func(n *kong.Node, path string)
	walk = func(n *kong.Node, path string) {
		for _, flags := range n.AllFlags(true) {
			for _, f := range flags {
				out[path] = append(out[path], "--"+f.Name)
			}
		}
		for _, child := range n.Children {
			if child.Hidden {
				continue
			}
			out[path] = append(out[path], child.Name)
			walk(child, strings.TrimSpace(path+" "+child.Name))
		}
		slices.Sort(out[path])
		out[path] = slices.Compact(out[path])
	}
	walk(n, "")
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
