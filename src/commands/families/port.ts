/**
 * A port of this machine that a command listens at.
 */
import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import { troubleWords } from "../../api/text/trouble.js";
import { PurserError } from "../../errors.js";

export const portField = (usual: string) =>
	z._default(
		field(z.string().check(z.refine((typed) => /^\d{1,5}$/.test(typed) && Number(typed) <= 65535, "must be a port number, 0 to 65535")), {
			description: "Port; 0 takes a free one",
			placeholder: "number",
		}),
		usual,
	);

/** @throws PurserError usage, where the port cannot be had */
export async function listenAt<T>(port: string, listen: () => Promise<T>): Promise<T> {
	try {
		return await listen();
	} catch (cause) {
		throw new PurserError("usage", {
			code: "PORT_UNAVAILABLE",
			message: `Cannot listen on 127.0.0.1:${port}`,
			why: troubleWords(cause),
			fix: "Choose another with --port, or 0 for a free one.",
			cause,
		});
	}
}
