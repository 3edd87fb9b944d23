//nolint:misspell // it is French
package inapp

import (
	"fmt"

	"holdpoint/core"
	"holdpoint/summaries"
)

var french = words{
	Lang: "fr", Summary: summaries.French,

	Skip: "Aller au contenu", Pages: "Pages", History: "Historique", SignOut: "Se déconnecter", Refresh: "Actualiser", Back: "Retour",
	WaitingFor: func(n int) string { return fmt.Sprintf("%d en attente", n) },
	SignedInAs: func(name string) string { return "Connecté en tant que " + name },

	SignInTitle: "Connexion", SignIn: "Se connecter", SignInOnce: "Ce lien sert une seule fois. L’ouvrir ne change rien ; le bouton l’utilise.",
	BadLink:       "Ce lien de connexion a déjà servi, ou ses 10 minutes sont passées. Personne n’a été connecté.",
	SignInCommand: "holdpoint signin --person NOM",
	SignInHelp: []string{
		"On se connecte avec un lien à usage unique, valable 10 minutes. Qui exploite holdpoint le crée avec cette commande, ou un administrateur vous l’envoie :",
	},
	SignInAs: func(name string) string { return "Ce lien vous connecte en tant que " + name + "." },

	QueueTitle: "Ce qui attend", WaitsForYou: "Vous attend", WaitsForOthers: "Attend d’autres personnes", NeedsALook: "À regarder",
	RecentTasks: "Tâches récentes", AllTasks: "Toutes les tâches", NoTasks: "Aucune tâche. Pour en lancer une : holdpoint task start PLAN",
	NothingWaits:  "Rien n’attend. Quand une tâche atteint un point de contrôle, elle apparaît ici.",
	NothingForYou: "Rien ne vous attend.", MoreWaits: "Seules les 200 demandes les plus récentes figurent ici.",
	HistoryTitle: "Tâches", Filter: "Afficher", AllStates: "toutes", Older: "Tâches plus anciennes",

	NoNote: "Aucune note de restauration pour cette étape.",

	Plan: "Plan",

	Round: func(s string) string { return "tour " + s },

	By: "par", For: "pour",

	Approve: "Approuver", ApproveMore: "Approuver…", ApproveConfirmed: "Oui, approuver", Reject: "Rejeter", AskAgain: "Redemander",
	RejectMore: "Rejeter…", RejectReason: "Pourquoi ? (facultatif)",
	RejectHint:   "Qui a demandé le lira. L’étape ne s’exécute pas ; ce qui a été fait avant reste en place tant que personne ne revient en arrière.",
	RejectTitle:  func(t string) string { return "Rejeter " + t + " ?" },
	ConfirmTitle: func(t string) string { return "Approuver vraiment " + t + " ?" },
	HighRisk:     "Risque élevé", HighRiskWords: "Relisez ce qui s’exécute et comment revenir en arrière. C’est la seconde de deux étapes.",

	FreshRequest: "Ouvrir la nouvelle demande", NextRequest: "Demande suivante : ", ToTask: "Ouvrir la tâche",

	NotDecidable: "La configuration ne permet pas de décider de ce risque dans l’application.",

	AlreadyDecided: func(state, who, when string) string {
		return "C’était déjà décidé : " + state + " par " + who + ", " + when + "."
	},

	LookAgain:     "La tâche a avancé depuis que cette page a été montrée. Rien n’a changé ; la voici telle qu’elle est.",
	ReasonTooLong: "La raison est trop longue ou illisible : 4096 octets d’UTF-8 au plus.",

	Refusals: map[core.Code]string{
		core.CodeForbidden:   "Vous n’avez pas ce droit. Rien n’a changé.",
		core.CodeNotFound:    "Il n’y a rien à cette adresse, ou vous ne pouvez pas le voir.",
		core.CodeConflict:    "Ce n’est pas possible dans l’état présent de la tâche. Rien n’a changé.",
		core.CodeTooLarge:    "Le formulaire dépasse 64 Kio.",
		core.CodeValidation:  "Le formulaire n’est pas rempli comme il faut. Rien n’a changé.",
		core.CodeRateLimited: "Trop de connexions ont échoué depuis ici. Attendez quelques minutes, puis prenez un nouveau lien.",
		core.CodeUnavailable: "Cela n’a pas pu être confirmé. Revenez dans un instant : la page dit ce qui est sur le disque.",
		core.CodeDiskFull:    "Le disque du répertoire de données est plein. Les décisions passent encore, les nouveaux travaux non.",
	},
	RefusalTitle: "Pas fait", NotFoundTitle: "Rien ici", NoSuchPage: "Cette page n’existe pas.",
	WrongMethod: "Cette adresse ne prend pas ce genre de requête.", SignedOutTitle: "Déconnecté",
	Internal: "Une erreur s’est produite chez nous. Elle est dans le journal du démon.", SignedOut: "Vous n’êtes pas connecté ici, ou votre session est finie. Après la connexion, vous revenez à cette page.",

	NextAction: "Étape suivante", RollbackNotes: "Notes de restauration", Output: "Sortie", WholeOutput: "Sortie complète", Actions: "Actions", Facts: "Faits",
	Requests: "Demandes", Journal: "Journal", DidRun: "exécutée", DidNotRun: "non exécutée", OpenRequest: "Ouvrir la demande",
	Retry: "Relancer", RetryHint: "Demande une nouvelle approbation. Rien ne s’exécute avant.",
	ResolveDone: "C’est fait", ResolveFailed: "Cela a échoué", Pause: "Mettre en pause", Resume: "Reprendre", Cancel: "Annuler la tâche",
	Stop: "Arrêter", WhyStop: "Ce qui travaille pour cette tâche est terminé, une demande en attente est retirée. Pourquoi ? (facultatif)",
	Begin: "Je commence", BeginHint: "Utilise l’approbation, une fois : le travail est alors le vôtre.",
	WorkDone: "C’est fini", WorkFailed: "Échec", WorkDetail: "Que faut-il en dire ? (facultatif)",
	RollbackAsk: "Demander la restauration : ", RollbackHint: "Rien n’est annulé avant sa propre approbation.", RollbackBad: "La restauration a échoué",
	Stopping: "Arrêtée : ses processus se terminent encore", StopGone: "Arrêtée : tous ses processus sont terminés", StopBad: "Arrêtée, et ses processus n’ont pas pu être terminés : ils vivent peut-être encore",
	HowYouKnow: "Comment le savez-vous ?", WhyCancel: "Pourquoi ? (facultatif)",
	OnlyTheEnd: func(shown, all string) string { return "Les " + shown + " derniers octets sur " + all },
	JournalGap: "Les entrées plus anciennes sont dans l’audit : holdpoint audit export",
	Events: map[string]string{
		core.EventTaskStarted: "a lancé la tâche", core.EventTaskCompleted: "la tâche est terminée", core.EventTaskFailed: "la tâche a échoué",
		core.EventTaskRejected: "a rejeté la tâche", core.EventTaskCancelled: "a annulé la tâche", core.EventTaskReview: "personne ne sait si l’étape a pris effet",
		core.EventTaskRetried: "a demandé un nouvel essai", core.EventTaskResolved: "a tranché l’étape", core.EventTaskPaused: "a mis la tâche en pause",
		core.EventTaskResumed: "a repris la tâche", core.EventTaskRound: "un nouveau tour commence", core.EventRollbackNoted: "les notes de restauration sont au journal",
		core.EventApprovalRequested: "une demande a été faite", core.EventApprovalDecided: "a décidé", core.EventApprovalApproved: "la demande est approuvée",
		core.EventApprovalRejected: "la demande est rejetée", core.EventApprovalExpired: "la demande a expiré",
		core.EventApprovalSuperseded: "la demande est obsolète", core.EventApprovalCancelled: "la demande a été retirée",
		core.EventApprovalClaimed: "a utilisé l’approbation", core.EventExecutionStarted: "l’étape a démarré", core.EventExecutionEnded: "l’étape est finie",
		core.EventRefused: "refus", core.EventRestored: "la base a été restaurée d’une sauvegarde",
	},
	Program:   "le programme ",
	StartedAt: "lancée", UpdatedAt: "dernier changement", ParentTask: "partie de", Objective: "but", DoneWhen: "atteint quand",

	LogTitle: func(step string) string { return "Sortie de " + step },
	Parts:    "Parties", FromStart: "Depuis le début", NextPart: "Partie suivante", TheEnd: "La fin", NoOutput: "Rien n’a été affiché.",
	PartOf:       func(from, to, all string) string { return "Octets " + from + " à " + to + " sur " + all },
	NotDecided:   "Rien n’a été décidé",
	OtherRequest: "Le formulaire a été fait pour une autre demande que celle-ci. Lisez d’abord celle-ci.",
	Why:          "Pourquoi",
	DoneOf:       func(i, n int) string { return fmt.Sprintf("%d sur %d faites", i, n) },
	TaskID:       "tâche",
}
