/**
 * Logging in, and who may call what.
 */
import { type Desk, secretOf, time } from "../desk.js";
import { having } from "../lookup.js";
import { Refusal } from "../message.js";
import type { User } from "../state.js";

const tokenLives = 60 * 60 * 1000;

/** A new pair of tokens for a user who knows the password. @throws Refusal 401 */
export function login(desk: Desk, body: Record<string, unknown>): unknown {
	const user = desk.state.users.find(
		(one) =>
			one.username === body.username &&
			one.password === body.password &&
			(body.partnerName === undefined || one.partnerName === body.partnerName),
	);
	if (!user) throw new Refusal(401, "BAD_CREDENTIALS", "Unknown user, partner or password");
	return newSession(desk, user.username);
}

/** Both tokens are replaced; the old ones stop working. @throws Refusal 401 */
export function refresh(desk: Desk, body: Record<string, unknown>): unknown {
	const session = desk.state.sessions.find(({ refreshToken }) => refreshToken === body.refreshToken);
	if (!session) throw new Refusal(401, "BAD_REFRESH_TOKEN", "The refresh token is unknown or was used already");
	desk.state.sessions = desk.state.sessions.filter((one) => one !== session);
	return newSession(desk, session.username);
}

function newSession(desk: Desk, username: string): { token: string; refreshToken: string } {
	const issued = Math.floor(time(desk) / 1000);
	const part = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString("base64url");
	const token = [
		part({ alg: "HS256", typ: "JWT" }),
		part({ sub: username, iat: issued, exp: issued + tokenLives / 1000 }),
		secretOf(desk),
	].join(".");
	const session = { token, refreshToken: secretOf(desk), username, expires: time(desk) + tokenLives };
	// Enough for every client a test starts; the oldest go first.
	desk.state.sessions = [...desk.state.sessions.slice(-999), session];
	return { token, refreshToken: session.refreshToken };
}

/**
 * The user behind an Authorization header; undefined where there is none and none is needed.
 * @throws Refusal 401, 403
 */
export function userOf(desk: Desk, authorization: string | undefined, need: "required" | "optional" | "none"): User | undefined {
	if (need === "none") return undefined;
	if (authorization === undefined) {
		if (need === "optional") return undefined;
		throw unauthorized("Full authentication is required");
	}
	const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
	const [session] = token === undefined ? [] : having(desk.state.sessions, "token", token);
	const user = session && session.expires > time(desk) ? desk.state.users.find((one) => one.username === session.username) : undefined;
	if (!user) throw unauthorized("The token is unknown or has expired");
	if (!user.allowed) throw new Refusal(403, "FORBIDDEN", "The user lacks the role for this operation");
	return user;
}

const unauthorized = (message: string): Refusal => new Refusal(401, "UNAUTHORIZED", message, [], { "www-authenticate": "Bearer" });
