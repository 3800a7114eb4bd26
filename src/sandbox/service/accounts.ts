/**
 * Logging in, and who may call what.
 */
import { type Backend, newSecret, timeOf } from "../backend.js";
import { HttpError } from "../message.js";
import type { User } from "../state.js";

const tokenLifetime = 60 * 60 * 1000;

interface Tokens {
	token: string;
	refreshToken: string;
}

/** A new pair of tokens for a user who knows the password. @throws HttpError 401 */
export function logIn(backend: Backend, body: Record<string, unknown>): Tokens {
	const user = backend.state.users.find(
		(one) =>
			one.username === body.username &&
			one.password === body.password &&
			(body.partnerName === undefined || one.partnerName === body.partnerName),
	);
	if (!user) throw new HttpError(401, "BAD_CREDENTIALS", "Unknown user, partner or password");
	return newSession(backend, user.username);
}

/** The old tokens stop working. @throws HttpError 401 */
export function renewLogin(backend: Backend, body: Record<string, unknown>): unknown {
	const session = backend.state.sessions.find(({ refreshToken }) => refreshToken === body.refreshToken);
	if (!session) throw new HttpError(401, "BAD_REFRESH_TOKEN", "The refresh token is unknown or was used already");
	backend.state.sessions = backend.state.sessions.filter((one) => one !== session);
	return newSession(backend, session.username);
}

function newSession(backend: Backend, username: string): Tokens {
	const issued = Math.floor(timeOf(backend) / 1000);
	const part = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString("base64url");
	const token = [
		part({ alg: "HS256", typ: "JWT" }),
		part({ sub: username, iat: issued, exp: issued + tokenLifetime / 1000 }),
		newSecret(backend),
	].join(".");
	const session = { token, refreshToken: newSecret(backend), username, expires: timeOf(backend) + tokenLifetime };
	// Enough for every client a test starts; the oldest go first.
	backend.state.sessions = [...backend.state.sessions.slice(-999), session];
	return { token, refreshToken: session.refreshToken };
}

/**
 * The user behind an Authorization header; undefined where there is none and none is needed.
 * @throws HttpError 401, 403
 */
export function authenticate(
	backend: Backend,
	authorization: string | undefined,
	need: "required" | "optional" | "none",
): User | undefined {
	if (need === "none") return undefined;
	if (authorization === undefined) {
		if (need === "optional") return undefined;
		throw unauthorized("Full authentication is required");
	}
	const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
	const session = backend.state.sessions.find((one) => one.token === token);
	const user =
		session && session.expires > timeOf(backend) ? backend.state.users.find((one) => one.username === session.username) : undefined;
	if (!user) throw unauthorized("The token is unknown or has expired");
	if (!user.allowed) throw new HttpError(403, "FORBIDDEN", "The user lacks the role for this operation");
	return user;
}

const unauthorized = (message: string): HttpError => new HttpError(401, "UNAUTHORIZED", message, [], { "www-authenticate": "Bearer" });
