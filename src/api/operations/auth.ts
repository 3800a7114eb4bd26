import * as z from "zod/mini";
import { answer } from "../answer.js";
import { plain } from "../fields.js";
import { operation } from "../operation.js";

const tokens = () => answer(["token", "refreshToken", "endUserId"]);

export const login = operation({
	id: "auth.login",
	title: "Log in",
	effect: "read",
	send: "POST /api/partner/login",
	body: () =>
		z.strictObject({
			username: plain("Name of the user", { personal: true }),
			partnerName: z.optional(plain("Name of the partner")),
			password: plain("Password", { personal: true }),
		}),
	answer: tokens(),
	auth: "none",
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
});

export const refresh = operation({
	id: "auth.refresh",
	title: "Refresh the token",
	effect: "read",
	send: "POST /api/partner/refresh",
	body: () => z.strictObject({ refreshToken: plain("The refresh token of the last answer", { personal: true }) }),
	answer: tokens(),
	auth: "none",
	provenance: { method: "assumed", path: "documented", request: "documented", answer: "documented" },
});
