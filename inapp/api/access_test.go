package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"holdpoint/core"
	"holdpoint/inapp/api"
)

func TestTokens(t *testing.T) {
	h := open(t)
	var made api.NewToken
	h.do("ana", "POST", "/api/v1/tokens", `{"name":"deploy","role":"operator"}`).want(http.StatusCreated, &made)
	if made.Secret == "" || made.Name != "deploy" || made.Role != core.RoleTokenOperator || made.CreatedBy != "person:ana" || made.RevokedAt != nil {
		t.Errorf("made: %+v", made)
	}
	h.do(made.Secret, "GET", "/api/v1/tasks", "").want(http.StatusOK, nil)
	h.do("ana", "POST", "/api/v1/tokens", `{"name":"deploy","role":"agent"}`).refused(core.CodeConflict)
	var page api.List[api.Token]
	r := h.do("operator", "GET", "/api/v1/tokens", "")
	if r.want(http.StatusOK, &page); strings.Contains(string(r.body), made.Secret) || strings.Contains(string(r.body), `"token"`) {
		t.Error("the list tells a secret")
	}
	if !page.Items[0].File && !page.Items[len(page.Items)-1].File {
		t.Errorf("the file's token is not marked: %+v", page.Items)
	}
	var ended api.Token
	h.do("ana", "DELETE", "/api/v1/tokens/"+made.ID, "").want(http.StatusOK, &ended)
	if ended.RevokedAt == nil {
		t.Error("the revoked token has no end")
	}
	h.do(made.Secret, "GET", "/api/v1/tasks", "").refused(core.CodeUnauthorized)
	h.do("ana", "DELETE", "/api/v1/tokens/"+made.ID, "").want(http.StatusOK, nil)
	h.do("operator", "DELETE", "/api/v1/tokens/"+fileToken(page), "").refused(core.CodeConflict)
	for body, path := range map[string]string{
		`{"name":"","role":"agent"}`: "name", `{"name":"x","role":"root"}`: "role", `{"name":"x","role":"person:zoe"}`: "role", `{"name":"x","role":"person:"}`: "role",
	} {
		if p := h.do("ana", "POST", "/api/v1/tokens", body).refused(core.CodeValidation); p.Errors[0].Path != path || p.Errors[0].Line != 1 {
			t.Errorf("%s: %+v", body, p.Errors)
		}
	}
	h.do("ana", "POST", "/api/v1/tokens", "").refused(core.CodeValidation)
}

func fileToken(page api.List[api.Token]) string {
	for _, one := range page.Items {
		if one.File {
			return one.ID
		}
	}
	return ""
}

func TestSignInLink(t *testing.T) {
	h := open(t)
	var link api.SignInLink
	h.do("operator", "POST", "/api/v1/signin", `{"person":"bo"}`).want(http.StatusCreated, &link)
	secret, ok := strings.CutPrefix(link.URL, "http://holdpoint.test/signin/")
	if person, err := h.Engine.SignInPerson(t.Context(), secret); !ok || person != "bo" || err != nil {
		t.Errorf("%s signs in %q, %v", link.URL, person, err)
	}
	if want := h.Clock.Now().Add(10 * time.Minute); !link.ExpiresAt.Equal(want) {
		t.Errorf("ends %v, want %v", link.ExpiresAt, want)
	}
	if strings.Contains(h.Log.String(), secret) {
		t.Error("the link's secret is in the log")
	}
}

func TestPeople(t *testing.T) {
	h := open(t)
	var page api.List[api.Person]
	h.do("dora", "GET", "/api/v1/people", "").want(http.StatusOK, &page)
	if len(page.Items) != 4 || page.Items[0].Name != "ana" || strings.Join(page.Items[0].Surfaces, " ") != "inapp slack" || page.Items[3].Roles == nil {
		t.Errorf("people: %+v", page.Items)
	}
}

func TestAudit(t *testing.T) {
	h := open(t)
	h.start("ci", plan)
	rows := h.rows()
	var got []api.Event
	for after, pages := "", 0; pages < 20; pages++ {
		var page api.List[api.Event]
		h.do("dora", "GET", "/api/v1/audit?limit=3&after="+after, "").want(http.StatusOK, &page)
		got = append(got, page.Items...)
		if after = page.Next; after == "" {
			break
		}
	}
	if len(got) != len(rows) {
		t.Fatalf("%d rows, want %d", len(got), len(rows))
	}
	for i, row := range rows {
		if got[i].Seq != row.Seq || got[i].Type != row.Type || got[i].Actor != row.Actor || got[i].Subject != row.Subject || got[i].Data == nil {
			t.Errorf("row %+v, want %+v", got[i], row)
		}
	}
}
