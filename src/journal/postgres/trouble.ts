/**
 * What an error of a team's database means for whoever pays. What cannot be recorded is not sent.
 */
import { advice, purser } from "../../api/advice.js";
import { type Advice, guard, PurserError } from "../../errors.js";
import type { TeamAddress } from "../../ports/team.js";
import { Contradiction, type Deed, type Trouble as Troubles } from "../tables/connection.js";

type Kind = keyof typeof words;

/** The address for people. */
export const addressText = ({ host, port, database, user, schema }: TeamAddress): string =>
	`postgresql://${user}@${host.includes("/") ? encodeURIComponent(host) : host}:${port}/${database} (schema ${schema})`;

/** What this program finds out about a database by itself. */
export class Trouble extends Error {
	constructor(
		readonly kind: Kind,
		/** What was found. */
		message: string,
	) {
		super(message);
	}
}

/** By the beginning of the server's code. */
const codes: readonly (readonly [begins: RegExp, kind: Kind])[] = [
	[/^28/, "login"],
	[/^(3D000|3F000|42P01)/, "missing"],
	[/^(42P07|42723)/, "exists"],
	[/^42501/, "denied"],
	[/^(55P03|57014)/, "busy"],
	[/^53100/, "failed"],
	[/^(25006|25P03|53|57P|08)/, "away"],
	[/^PUR/, "refused"],
];

const askForRole = "Ask the administrator of the database for the role, or a colleague who has it to do this.";

/** What the rules of the team refuse (rules.ts), by the server's code. Their message is the refusal's. */
const refusals: Readonly<Record<string, { code: string; fix: Advice | ((batch: string) => Advice) }>> = {
	PURRO: { code: "ROLE_MISSING", fix: askForRole },
	PURAS: {
		code: "APPROVAL_NEEDED",
		fix: advice`Write it into a file (${purser`pay batch plan --print-template`} shows one), plan that, and have the batch approved:\n${purser`pay batch plan FILE`}\n${purser`pay batch approve BATCH`}`,
	},
	PURAB: {
		code: "APPROVAL_MISSING",
		fix: (batch) => advice`Another person than its planner approves it: ${purser`pay batch approve ${batch}`}`,
	},
	PURAR: {
		code: "APPROVAL_NEEDED",
		fix: (batch) =>
			advice`Cancel what was never sent (${purser`pay batch abandon ${batch} --reason TEXT`}), write it to unsent.csv (${purser`pay batch report ${batch}`}), plan that file and have it approved: ${purser`pay batch plan FILE`}`,
	},
	PURRJ: {
		code: "PLAN_REJECTED",
		fix: advice`Correct the file, plan it again and have that plan approved: ${purser`pay batch plan FILE`}`,
	},
	PURCP: { code: "CAP_PER_PERSON_DAY", fix: "Send the rest tomorrow, or let a colleague who may send do so." },
	PUROW: { code: "APPROVAL_BY_PLANNER", fix: advice`Who may approve it: ${purser`pay batch approvals`}` },
	PURKE: { code: "JOURNAL_KEPT", fix: advice`Check the record: ${purser`history verify`}` },
};

const cutOff = /^Connection terminated|timeout expired|read timeout|connection error and is not queryable|was closed and is not queryable/;
const certificate = /CERT|SIGNATURE|ISSUER|SSL connections/;
/** The server asks for a password, and there is none here. */
const unasked = /^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be/;
const system = /^E(CONN|NOTFOUND|AI_AGAIN|TIMEDOUT|HOST|NET|PIPE|NOENT)/;

export function kindOf(error: unknown): Kind {
	if (error instanceof Trouble) return error.kind;
	const { code, message = "", errors } = (error ?? {}) as { code?: unknown; message?: string; errors?: unknown[] };
	if (errors !== undefined) return kindOf(errors[0]);
	const word = typeof code === "string" ? code : "";
	if (/^[0-9A-Z]{5}$/.test(word) && !system.test(word)) return codes.find(([begins]) => begins.test(word))?.[1] ?? "failed";
	if (unasked.test(message)) return "login";
	if (system.test(word) || cutOff.test(message)) return "away";
	return certificate.test(word) || certificate.test(message) ? "tls" : "failed";
}

/** What the roles are for. */
const deeds: Readonly<Record<Exclude<Deed, "make">, readonly [may: string, roles: readonly string[]]>> = {
	send: ["send or settle payments", ["sender"]],
	plan: ["plan batches", ["planner"]],
	approve: ["approve or reject batches", ["approver"]],
	record: ["record a change", ["planner", "sender"]],
};

const exits: Partial<Record<Kind, "unavailable" | "auth">> = { away: "unavailable", login: "auth" };
type Words = readonly [message: string, fix: Advice];

const nothing = "nothing is sent that is not on record";

const words = {
	away: [`The team's journal cannot be reached, and ${nothing}`, "Check the network and that the database runs, then run this again."],
	login: [
		"The team's journal refused the login",
		advice`Check the user and the password: ${purser`team join URL`} asks for it at a terminal; in a script the file that PGPASSFILE names has it.`,
	],
	busy: [`The team's journal was busy for too long, and ${nothing}`, "Wait a little, then run this again."],
	denied: [
		`The team's journal does not let this user do that, and ${nothing}`,
		"Ask the administrator of the database for a role (reader, planner, approver or sender), then run this again.",
	],
	missing: [
		"There is no journal at this address; nothing was sent",
		advice`Check the database and the schema of the address. Who administers it makes a team's journal once: ${purser`team init URL`}. A new one knows no earlier payment.`,
	],
	exists: ["There is a journal at this address already; it is unchanged", "Use it, or name another schema."],
	open: ["A team's journal on another machine is used over TLS only; nothing was sent", "Let the server offer TLS, and use verify-full."],
	tls: [
		"The team's database could not prove that it is the right one; nothing was sent",
		"Check the host's name and the certificate of the authority that signed the server's, then run this again.",
	],
	schema: ["The name of the schema cannot be used", "Use lower-case letters, digits and underscores, a letter first."],
	pooler: [
		"The connection to the team's journal goes through a pooler; nothing was sent",
		"Name the database itself: a sender is known by the lock that its session holds.",
	],
	unsafe: [
		"The team's database does not keep what it has confirmed; nothing was sent",
		"Have its administrator turn fsync on, then run this again.",
	],
	policy: [
		"The policy of a team cannot be that; nothing was changed",
		"approval: always, above 1000 EUR, or above 1000 EUR a day; cap-per-person-day: 5000 EUR. The currency is always named.",
	],
	refused: ["", ""],
	failed: [`The team's database failed, and ${nothing}`, "Check the database, then run this again."],
} satisfies Readonly<Record<string, Words>>;

/** What is another thing for whoever makes a journal. */
const making: Partial<Record<Kind, Words>> = {
	missing: ["There is no such database; nothing was changed", "Check its name, or let its administrator create it, then run this again."],
	denied: [
		"This login may not make a team's journal there; nothing was changed",
		advice`It needs the right to create schemas in this database, and roles. Log in as an administrator, or give one the statements: ${purser`team init URL --print-sql`}`,
	],
};

/** A right of a table that this login has not, by the role that gives it. */
function roleMissing({ user, schema }: TeamAddress, deed: Exclude<Deed, "make">): Words {
	const [may, roles] = deeds[deed];
	const missing = roles.map((role) => `${schema}_${role}`).join(" or ");
	return [`${user} may not ${may}: the role ${missing} is missing; nothing was ${deed === "send" ? "sent" : "changed"}`, askForRole];
}

/** What the errors of a team's journal mean. @param holders who holds the lock that was waited for, in words */
export function troubleWith(address: TeamAddress, holders: () => Promise<string | undefined> = async () => undefined): Troubles {
	const unusable = async (cause: unknown, deed: Deed): Promise<PurserError> => {
		if (cause instanceof PurserError) return cause;
		const kind = kindOf(cause);
		const { code, message: said = "" } = (cause ?? {}) as { code?: string; message?: string };
		const refusal = kind === "refused" ? refusals[String(code)] : undefined;
		if (refusal !== undefined) {
			const fix = typeof refusal.fix === "function" ? refusal.fix(/[Bb]atch (\d+)/.exec(said)?.[1] ?? "BATCH") : refusal.fix;
			return guard({ code: refusal.code, message: `${said}; nothing was sent`, fix, cause });
		}
		const own = deed === "make" ? making[kind] : code === "42501" ? roleMissing(address, deed) : undefined;
		const [message, fix] = own ?? words[kind];
		const found = unasked.test(said)
			? "it asks for a password, and none is known here"
			: cause instanceof Trouble || cause instanceof Contradiction || code === undefined
				? said
				: `the system said ${code}`;
		const held = kind === "busy" ? await holders().catch(() => undefined) : undefined;
		return new PurserError(exits[kind] ?? "usage", {
			code: `JOURNAL_${kind.toUpperCase()}`,
			message: held === undefined ? message : `The team's journal is held by ${held}, and ${nothing}`,
			why: `${addressText(address)}: ${found}`,
			fix,
			cause,
		});
	};
	return {
		isBusy: (error) => ["busy", "refused"].includes(kindOf(error)),
		async guarded(work, deed = "record") {
			try {
				return await work();
			} catch (error) {
				throw await unusable(error, deed);
			}
		},
	};
}
