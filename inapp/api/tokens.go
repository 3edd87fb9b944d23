package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"holdpoint/core"
)

// Token is a bearer token without its secret.
type Token struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Role      core.Role  `json:"role" doc:"agent, operator or person:NAME"`
	File      bool       `json:"file" doc:"the operator.token of the data directory"`
	Session   string     `json:"session" doc:"of an agent: what it is bound to"`
	CreatedBy string     `json:"created_by"`
	CreatedAt time.Time  `json:"created_at"`
	RevokedAt *time.Time `json:"revoked_at"`
}

// NewToken is a token that was just made. The secret is told this once and kept nowhere.
type NewToken struct {
	Token
	Secret string `json:"token" doc:"the bearer token itself; it is not told again"`
}

// CreateToken is the body of POST /tokens.
type CreateToken struct {
	Name string    `json:"name" maxLength:"100"`
	Role core.Role `json:"role" doc:"agent, operator or person:NAME"`
}

func (s *Server) tokenRoutes() {
	handle(s, get("list-tokens", "/tokens", "List tokens, without their secrets", "people"), []core.Code{core.CodeForbidden}, s.listTokens)
	create := post("create-token", "/tokens", "Make a token", "people")
	create.DefaultStatus = http.StatusCreated
	handleBody[CreateToken](s, create, bodyRule{limit: maxBody, example: CreateToken{Name: "ci", Role: core.RoleTokenOperator}},
		[]core.Code{core.CodeForbidden, core.CodeConflict}, s.createToken)
	handle(s, huma.Operation{OperationID: "revoke-token", Method: http.MethodDelete, Path: "/tokens/{id}", Summary: "End a token at once",
		Tags: []string{"people"}}, []core.Code{core.CodeForbidden, core.CodeNotFound, core.CodeConflict}, s.revokeToken)
}

func token(t core.Token) Token {
	return Token{ID: t.ID, Name: t.Name, Role: t.Role, File: t.File, Session: t.Session, CreatedBy: t.By,
		CreatedAt: t.CreatedAt.UTC(), RevokedAt: moment(t.RevokedAt)}
}

func (s *Server) listTokens(ctx context.Context, _ *nothing) (*answer[List[Token]], error) {
	all, err := s.Engine.Tokens(ctx, actorOf(ctx))
	if err != nil {
		return nil, err
	}
	page := List[Token]{Items: []Token{}}
	for _, t := range all {
		page.Items = append(page.Items, token(t))
	}
	return answered(page), nil
}

func (s *Server) createToken(ctx context.Context, _ *nothing) (*answer[NewToken], error) {
	body, err := decode[CreateToken](ctx)
	if err != nil {
		return nil, err
	}
	secret, t, err := s.Engine.CreateToken(ctx, actorOf(ctx), body.Name, body.Role)
	if err != nil {
		return nil, err
	}
	return answered(NewToken{Token: token(t), Secret: secret}), nil
}

type byTokenID struct {
	ID string `path:"id" maxLength:"100" doc:"the token's id or name, not the token"`
}

func (s *Server) revokeToken(ctx context.Context, in *byTokenID) (*answer[Token], error) {
	t, err := s.Engine.RevokeToken(ctx, actorOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return answered(token(t)), nil
}
