/**
 * Logging in, and who may call what.
 */
import { type Backend, newSecret, timeOf } from "../backend.js";
import { HttpError } from "../message.js";
import { operator } from "../state.js";

const tokenLifetime = 60 * 60 * 1000;

interface Tokens {
	token: string;
	refreshToken: string;
}

/** A new pair of tokens for a user who knows the password. @throws HttpError 401 */
export function logIn(backend: Backend, body: Record<string, unknown>): Tokens {
	const { username, password, partnerName = operator.partnerName } = body;
	if (username !== operator.username || password !== operator.password || partnerName !== operator.partnerName)
		throw new HttpError(401, "BAD_CREDENTIALS", "Unknown user, partner or password");
	return newSession(backend);
}

/** The old tokens stop working. @throws HttpError 401 */
export function renewLogin(backend: Backend, body: Record<string, unknown>): unknown {
	const session = backend.state.sessions.find(({ refreshToken }) => refreshToken === body.refreshToken);
	if (!session) throw new HttpError(401, "BAD_REFRESH_TOKEN", "The refresh token is unknown or was used already");
	backend.state.sessions = backend.state.sessions.filter((one) => one !== session);
	return newSession(backend);
}

function newSession(backend: Backend): Tokens {
	const issued = Math.floor(timeOf(backend) / 1000);
	const part = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString("base64url");
	const token = [
		part({ alg: "HS256", typ: "JWT" }),
		part({ sub: operator.username, iat: issued, exp: issued + tokenLifetime / 1000 }),
		newSecret(backend),
	].join(".");
	const session = { token, refreshToken: newSecret(backend), expires: timeOf(backend) + tokenLifetime };
	// Enough for every client a test starts; the oldest go first.
	backend.state.sessions = [...backend.state.sessions.slice(-999), session];
	return { token, refreshToken: session.refreshToken };
}

/**
 * Whether an Authorization header is the operator's; false where there is none and none is needed.
 * @throws HttpError 401
 */
export function authenticate(backend: Backend, authorization: string | undefined, need: "required" | "optional" | "none"): boolean {
	if (need === "none") return false;
	if (authorization === undefined) {
		if (need === "optional") return false;
		throw unauthorized("Full authentication is required");
	}
	const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
	const session = backend.state.sessions.find((one) => one.token === token);
	if (!session || session.expires <= timeOf(backend)) throw unauthorized("The token is unknown or has expired");
	return true;
}

const unauthorized = (message: string): HttpError => new HttpError(401, "UNAUTHORIZED", message, [], { "www-authenticate": "Bearer" });
