import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { filePath, moment, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";
import { fileNotRead } from "../../api/text/trouble.js";
import { momentForms } from "../../api/typed.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { aboutWords } from "../../events/line.js";
import { changeIn } from "../../events/normal.js";
import { openVerifying, type Refusal, refusalWords } from "../../events/verdict.js";
import { eventSays } from "../families/answers.js";

/** Bytes of a body; a receiver takes no more. */
const largest = 1024 * 1024;

export default defineCommand({
	path: "events verify",
	summary: "Check the signature of a delivery that was saved to a file",
	details:
		"The file is the body, byte for byte; an editor that adds a line break breaks the signature. Give each header of the signature with --header. It is checked with the secrets of the profile. A signature holds for a few minutes: --at says when the delivery came. Exit 3 where it is not genuine.",
	examples: {
		"events verify body.json --header 'webhook-id: msg_2b7' --header 'webhook-timestamp: 1772000000' --header 'webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='":
			"As it came",
		"events verify body.json --header @headers.txt --at 2026-03-01T00:00:00Z": "Headers from a file, one a line; it came earlier",
	},
	input: z.strictObject({
		file: filePath("The body; - for standard input", { positional: true, placeholder: "file" }),
		header: field(z.array(plain("Name: value", { placeholder: "'Name: value'" })), {
			description: "A header that it came with, or @FILE with one a line",
			placeholder: "'Name: value'",
		}),
		at: z.optional(moment(`When it came, now where it is not given: ${momentForms}`, "start")),
	}),
	answer: () => z.strictObject({ genuine: z.boolean(), id: z.string(), signedAt: z.string(), says: eventSays() }),
	async run(context, { file, header, at }) {
		const { profile } = await context.settings.read();
		const headers = await headersOf(context, header);
		const body = Buffer.from(await read(context, file));
		const now = at === undefined ? context.clock.now() : new Date(at);
		const check = await openVerifying(context, profile, () => now);
		const verdict = await check({ headers, body });
		if (!verdict.isGenuine) throw notGenuine(verdict.why);
		const { type, subject, from, to } = changeIn(body);
		const signedAt = new Date(verdict.at).toISOString();
		return { data: { genuine: true, id: verdict.id, signedAt, says: { type, subject, from, to } } };
	},
	text: ({ id, signedAt, says }, style) =>
		style.done("The signature is valid", {
			"Sender's id": id,
			"Signed at": style.time(signedAt),
			Type: says.type,
			About: aboutWords(says) || "not said",
			Status: says.to === null ? "not said" : style.status(says.to),
		}),
});

function notGenuine(why: Refusal): PurserError {
	return new PurserError("validation", {
		code: "EVENT_NOT_GENUINE",
		message: why.startsWith("too-") ? "The delivery is not accepted" : "The signature is not valid",
		why: `It came ${refusalWords[why]}`,
		fix:
			why === "too-old"
				? "If it came earlier, say when: --at TIME."
				: advice`Check that the file is the body byte for byte, that every header is as it came, and that its secret is there: ${purser`events secret list`}`,
		details: [{ field: "header", message: why }],
	});
}

/** A line that is no header is none: the verdict says which is missing. One that came twice has both values. */
async function headersOf(context: Context, given: readonly string[]): Promise<Record<string, string | string[]>> {
	const textOf = async (one: string) => (one.startsWith("@") ? new TextDecoder().decode(await read(context, one.slice(1))) : one);
	const headers: Record<string, string | string[]> = Object.create(null);
	for (const line of (await Promise.all(given.map(textOf))).flatMap((text) => text.split(/\r?\n/)).filter(Boolean)) {
		const [, name = "", value = ""] = /^([\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
		const before = headers[name.toLowerCase()];
		headers[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
	}
	return headers;
}

async function read(context: Context, file: string): Promise<Uint8Array> {
	try {
		return file === "-" ? await context.system.terminal.stdin.read(largest) : await context.files.read(file, largest);
	} catch (cause) {
		throw fileNotRead(file === "-" ? "standard input" : file, cause);
	}
}
