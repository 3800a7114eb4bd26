/**
 * The input of a login, from a person or a script: names and one secret, by the profile's kind of authentication.
 */
import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import type { Auth } from "../../ports/profiles.js";
import { secretFromInput, secretFromPerson } from "./typed-secret.js";

export interface LoginInput {
	username?: string;
	partnerName?: string;
	secret: string;
	/** The secret is a token or the value of a header, not a password. */
	token: boolean;
}

export interface LoginFlags {
	passwordStdin: boolean;
	tokenStdin: boolean;
}

/**
 * Prompts for it, or reads standard input where the flags say so.
 * @throws PurserError usage, naming everything that is missing where nobody can be asked
 */
export async function gatherLoginInput(context: Context, auth: Auth, input: LoginFlags): Promise<LoginInput> {
	const token = input.tokenStdin || auth.kind === "header";
	refuseMismatch(auth, input);
	const typed = !input.passwordStdin && !input.tokenStdin;
	const named = auth.kind === "login" || auth.kind === "basic" ? auth.username : undefined;
	const needsName = !token && named === undefined;
	if (!context.settings.flags.interactive) refuseMissing(needsName, auth.kind === "login" && auth.partnerName === undefined, typed, token);
	const username = needsName ? await askName(context) : named;
	const partnerName = auth.kind === "login" ? (auth.partnerName ?? (needsName ? await askPartner(context) : undefined)) : undefined;
	if (typed) return { username, partnerName, secret: await secretFromPerson(context, token ? secretLabel(auth) : "Password"), token };
	return { username, partnerName, secret: await secretFromInput(context, input.tokenStdin ? "token" : "password"), token };
}

const secretLabel = (auth: Auth): string => (auth.kind === "header" ? `Value of the header ${auth.header}` : "Token");

function refuseMismatch(auth: Auth, { passwordStdin, tokenStdin }: LoginFlags): void {
	if (tokenStdin && auth.kind === "basic") throw mismatch("HTTP Basic takes a password, not a token", "--password-stdin");
	if (passwordStdin && auth.kind === "header") throw mismatch("A fixed header takes its value, not a password", "--token-stdin");
}

function mismatch(message: string, flag: string): PurserError {
	return new PurserError("usage", { code: "SECRET_MISMATCH", message, fix: `Send it with ${flag}.` });
}

function refuseMissing(name: boolean, partner: boolean, secret: boolean, token: boolean): void {
	const details: Fault[] = [];
	if (name) details.push({ field: "username", message: "is required" });
	if (secret) details.push({ field: token ? "tokenStdin" : "passwordStdin", message: "is required: send the secret on standard input" });
	if (details.length === 0) return;
	const flag = token ? "--token-stdin" : "--password-stdin";
	throw new PurserError("usage", {
		code: "MISSING_INPUT",
		message: `Missing: ${[name && "--username", secret && flag].filter(Boolean).join(", ")}`,
		fix: advice`Add to the flags given, and send the secret on standard input, like: printf %s "$SECRET" | ${purser`auth login … ${name && ["--username", "NAME"]} ${name && partner && ["--partner-name", "NAME"]} ${flag}`}`,
		details,
	});
}

async function askName(context: Context): Promise<string> {
	return (await context.ask.prompts()).text({ message: "User name", check: (typed) => (typed.trim() === "" ? "is required" : undefined) });
}

async function askPartner(context: Context): Promise<string | undefined> {
	const typed = await (await context.ask.prompts()).text({ message: "Partner name (leave empty if you have none)" });
	return typed.trim() === "" ? undefined : typed.trim();
}
