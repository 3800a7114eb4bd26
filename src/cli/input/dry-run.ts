/**
 * What a dry run shows: the exact requests that would have been sent.
 */
import type { OutputFormat } from "../../api/formats.js";
import { formatJson } from "../../api/json.js";
import { sanitizeJson, sanitizeLine } from "../../api/text/sanitize.js";
import type { Style } from "../../ports/style.js";
import type { Output } from "../../ports/terminal.js";

interface RequestView {
	operation: string;
	method: string;
	url: string;
	headers: Readonly<Record<string, string>>;
	body?: unknown;
}

/** Writes the requests: as HTTP for people, as data for programs. */
export async function writeDryRun(requests: readonly RequestView[], { write }: OutputFormat, style: Style, stdout: Output): Promise<void> {
	if (write !== undefined) {
		const answer = { dryRun: true, requests };
		for (const line of write(answer, () => [answer], formatJson)) await stdout.write(`${sanitizeJson(line)}\n`);
		return;
	}
	const parts = requests.map(({ method, url, headers, body }) =>
		[
			`${style.bold(method)} ${sanitizeLine(url)}`,
			...Object.entries(headers).map(([name, value]) => `${style.dim(`${name}:`)} ${sanitizeLine(value)}`),
			...(body === undefined ? [] : ["", sanitizeJson(formatJson(body, 2))]),
		].join("\n"),
	);
	await stdout.write(`${parts.join("\n\n")}\n\n${style.dim("Dry run: nothing was sent.")}\n`);
}
