package api

import (
	"context"
	"net/http"
	"time"

	"holdpoint/core"
)

// Person is somebody of the configuration.
type Person struct {
	Name     string   `json:"name"`
	Roles    []string `json:"roles"`
	Surfaces []string `json:"surfaces" doc:"where the person is known"`
	Language string   `json:"language"`
	Timezone string   `json:"timezone"`
	Quiet    string   `json:"quiet" doc:"hours without messages, such as 22:00-07:00"`
}

// SignIn is the body of POST /signin.
type SignIn struct {
	Person string `json:"person"`
}

// SignInLink signs one person in, once.
type SignInLink struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expires_at"`
}

func (s *Server) peopleRoutes() {
	handle(s, get("list-people", "/people", "List the people of the configuration", "people"), []core.Code{core.CodeForbidden}, s.listPeople)
	link := post("create-signin", "/signin", "Make a one-time sign-in link for a person", "people")
	link.DefaultStatus = http.StatusCreated
	handleBody[SignIn](s, link, bodyRule{limit: maxBody, example: SignIn{Person: "ana"}}, []core.Code{core.CodeForbidden, core.CodeNotFound}, s.createSignIn)
}

func (s *Server) listPeople(ctx context.Context, _ *nothing) (*answer[List[Person]], error) {
	if err := s.Engine.Authorize(ctx, actorOf(ctx), core.ActSee, "people"); err != nil {
		return nil, err
	}
	page := List[Person]{Items: []Person{}}
	for _, p := range s.Engine.Policy().People {
		one := Person{Name: p.Name, Roles: list(p.Roles), Surfaces: []string{core.SurfaceInApp}, Language: p.Language, Timezone: p.Timezone, Quiet: p.Quiet}
		if p.Slack != "" {
			one.Surfaces = append(one.Surfaces, "slack")
		}
		if p.Telegram != "" {
			one.Surfaces = append(one.Surfaces, "telegram")
		}
		page.Items = append(page.Items, one)
	}
	return answered(page), nil
}

func (s *Server) createSignIn(ctx context.Context, _ *nothing) (*answer[SignInLink], error) {
	body, err := decode[SignIn](ctx)
	if err != nil {
		return nil, err
	}
	secret, link, err := s.Engine.NewSignIn(ctx, actorOf(ctx), body.Person)
	if err != nil {
		return nil, err
	}
	return answered(SignInLink{URL: s.SignInURL(secret), ExpiresAt: link.ExpiresAt.UTC()}), nil
}
