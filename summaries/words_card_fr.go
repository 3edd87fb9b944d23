//nolint:misspell // it is French
package summaries

var frenchHeads = headWords{
	Waiting: "Approuver %[1]s ?", Rollback: "Approuver la restauration de %[1]s ?", RollbackOf: "restauration de %[1]s", Paused: "En pause : %[1]s", Expired: "Expirée : %[1]s",
	Superseded: "Obsolète : %[1]s", Cancelled: "Annulée : %[1]s", Rejected: "Rejetée : %[1]s", Queued: "Approuvée : %[1]s",
	Held: "Approuvée, en pause : %[1]s", Unused: "Pas utilisée à temps : %[1]s", Running: "En cours : %[1]s", Succeeded: "Réussi : %[1]s",
	Failed: "Échec : %[1]s", Review: "%[1]s a-t-il pris effet ?", Completed: "Tout est fait, en dernier %[1]s", Used: "Utilisée : %[1]s",

	Position: "%[1]d sur %[2]d", Attempt: "tentative %[1]d", Round: "tour %[1]d", Risk: "RISQUE %[1]s", RiskChip: "risque %[1]s",
	Given: "%[1]d sur %[2]d", NeedsOne: "attend %[1]s", NeedsMore: "il en faut %[1]d : %[2]s", Nobody: "personne ne peut approuver",
}

var frenchFacts = factWords{
	Runs: "Exécute", Agent: "Agent", Outside: "Dehors", ByHand: "fait à l’extérieur, par qui le prend en charge", Title: "Étape", Plan: "Plan",
	Needs: "Attend", Detail: "Détail", Workdir: "Dans", Shell: "Shell", Vars: "Variables", Env: "Env", Forwards: "Transmet", Files: "Fichiers",
	Timeout: "Durée max", Goal: "Objectif", DoneWhen: "Fini quand", Evidence: "Pièces", Forwarded: "%[1]s (valeurs non affichées)",
	Undo: "Restauration", UndoRuns: "Restaure par", NoNote: "aucune note de restauration", Changed: "Changé", Nothing: "rien",
	Last: "Dernier", Done: "Fait", Next: "Ensuite", CheckSaid: "contrôle : %[1]s", NothingYet: "rien encore",
	LastStep: "aucune étape suivante, c’est la dernière", LastOfRound: "le contrôle qui dit si l’objectif est atteint", TheLast: "la dernière étape",
	Following: "étape suivante %[1]s (risque %[2]s), avec sa propre approbation",
	Asked:     "Demandé", Until: "Jusqu’à", Told: "Prévenus", Self: "Soi-même", You: "Vous", AnAgent: "agent %[1]s", Behalf: "%[1]s pour %[2]s",
	StillWaiting: "attend toujours", Unanswered: "sans réponse, rien ne s’exécute",
	UnansweredCancel: "sans réponse, la tâche est annulée et rien ne s’exécute",
	UnansweredRenew:  "sans réponse, la demande est refaite et rien ne s’exécute",
	UseWithin:        "une fois approuvé, démarre sous %[1]s ou est redemandé",
	InAppOnly:        "dans l’application seulement", SelfAllowed: "qui a demandé peut approuver",
	YouApproved: "vous avez approuvé (%[1]s) ; Rejeter revient dessus", YouAsked: "vous l’avez demandé : quelqu’un d’autre décide",
	YouMayNot: "vous n’êtes pas de ceux qui peuvent décider ici",
	More:      "Plus", MoreFacts: "%[1]d éléments non affichés", Missing: "%[1]s octets non affichés", MissingOf: "%[1]s octets non affichés, SHA-256 du tout %[2]s",
}

var frenchStatus = statusWords{
	Quorum: "%[1]d sur %[2]d", Approved: "Approuvée", Rejected: "Rejetée", Expired: "Expirée", Stale: "Obsolète", Cancelled: "Annulée",
	Paused: "En pause", Queued: "En file", Running: "En cours", Succeeded: "Réussi", Completed: "Terminée", Failed: "Échec", Review: "À vérifier",
	Ended: "Fini", Self: "(sa propre demande)", PausedText: "personne ne peut décider avant la reprise ; le délai court toujours",
	HeldText: "démarre à la reprise, si rien n’a changé", UnusedText: "pas utilisée sous %[1]s, rien n’a été exécuté ; une nouvelle demande la remplace",
	QueuedBehind: "attend la fin d’une exécution précédente : %[1]s", QueuedFor: "attend :", QueuedOutside: "attend qui la prend en charge",
	QueuedWorker: "démarre dès qu’une place est libre", Since: "depuis %[1]s", ClaimedBy: "pris en charge par %[1]s",
	Stopping: "Arrêt", StopEnding: "Arrêt accepté %[1]s, des processus se terminent encore …", StopGone: "Arrêt accepté %[1]s → tout est terminé",
	StopFailed: "Arrêt accepté %[1]s ; ses processus n’ont pas pu être terminés et vivent peut-être encore",
	AllDone:    "les %[1]d points de contrôle sont faits", ReviewText: "nul ne sait si %[1]s a pris effet", DidNotRun: "%[1]s n’a pas été exécuté",
	EndedText:     "elle a été utilisée ; la tâche a continué depuis",
	NobodyDecided: "personne n’a décidé, rien n’a été exécuté", NobodyCancelled: "personne n’a décidé, la tâche est annulée ; rien n’a été exécuté",
	NobodyRenewed: "personne n’a décidé, rien n’a été exécuté ; la demande est refaite", RetryForFresh: "relancer pour une nouvelle demande",
	NothingDecided: "rien n’a été décidé", NothingRan: "rien n’a été exécuté sur cette demande", NotUsed: "pas utilisée sous %[1]s", NewRequest: "nouvelle demande : %[1]s",
	ToUndo: "À restaurer", NotRun: "(pas exécuté)",
}

var frenchWarn = warnWords{
	NoWaiter: "la tâche en attente est partie %[1]s. Approuver ne lance rien tant qu’elle n’est pas revenue",
	MayLive:  "le processus d’une exécution précédente vit peut-être encore : %[1]s",
	TooFew:   "il reste %[1]d personne(s) qui peuvent approuver, il faut encore %[2]d approbation(s)",
	Flags: map[string]string{
		string(FlagDirection): "marques de direction cachées : le texte peut se lire dans un autre ordre qu’il ne s’exécute",
		string(FlagMixed):     "lettres ressemblantes d’un autre alphabet",
		string(FlagInvisible): "caractères invisibles",
		string(FlagControl):   "caractères de commande",
		string(FlagInvalid):   "octets qui ne sont pas du texte",
		string(FlagOddSpace):  "espaces inhabituelles",
	},
}

var frenchButtons = buttonWords{Approve: "Approuver", Reject: "Rejeter…", Details: "Détails", Later: "Plus tard", AskAgain: "Redemander"}

var frenchPage = pageWords{
	Status: "Ce qui a été décidé", Runs: "Exécute", Undo: "Restauration", Changed: "Changé depuis la dernière demande", Plan: "Points de contrôle",
	Asked: "Demande", Thousands: " ",
}

var frenchFields = map[string]string{
	"plan": "plan", "objective": "objectif", "done_when": "fini quand", "title": "titre", "detail": "détail", "risk": "risque", "run": "exécute",
	"command": "commande", "agent": "agent", "prompt": "consigne", "shell": "shell", "env": "env", "pass_env": "transmet", "vars": "variables",
	"workdir": "dans", "files": "fichiers", "timeout": "durée max", "stop_grace": "délai d’arrêt", "rollback_notes": "restauration",
	"rollback_run": "restaure par", "evidence": "pièces", "approvers": "approbateurs", "approvals_required": "approbations",
	"allow_self": "qui a demandé peut approuver",
}

var frenchCauses = map[string]string{
	"changed": "ce qui s’exécuterait n’est pas ce qui a été approuvé", "approvers": "qui a approuvé ne le peut plus", "unused": "pas utilisée à temps",
	"restored": "la base a été restaurée d’une sauvegarde", "edited": "le plan a été modifié", "missing": "la demande était perdue",
}

var frenchSurfaces = map[string]string{"slack": "Slack", "telegram": "Telegram", "inapp": "application", "api": "API"}
