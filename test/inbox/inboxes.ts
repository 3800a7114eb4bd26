/**
 * Inboxes for tests, closed and removed after each.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { changeIn } from "../../src/events/normal.js";
import { openInbox } from "../../src/inbox/inbox.js";
import type { Inbox, Notice } from "../../src/ports/events.js";
import type { OpenStorage } from "../../src/sqlite/storage.js";
import { makeChance, makeClock } from "../support/world-time.js";

const open: Inbox[] = [];
const folders: string[] = [];

afterEach(() => {
	for (const inbox of open.splice(0)) inbox.close();
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const clock = makeClock();

export function newFolder(): string {
	const made = mkdtempSync(join(tmpdir(), "purser-inbox-"));
	folders.push(made);
	return made;
}

/** @param settings of the profile */
export async function inboxIn(
	directory: string,
	settings: Record<string, string> = {},
	{ name = "sandbox", storage }: { name?: string; storage?: OpenStorage } = {},
): Promise<Inbox> {
	const profile = { name, environment: "sandbox" as const, settings };
	const inbox = await openInbox({ directory, profile, clock, random: makeChance(), storage });
	open.push(inbox);
	return inbox;
}

/** A webhook about a payment, or with a body of its own. */
export function heard(id: string, text = JSON.stringify({ type: "transaction.updated", data: { id: "t-1", status: "PENDING" } })): Notice {
	const body = Buffer.from(text);
	return { source: "webhook", change: changeIn(body), delivery: { id, headers: { "webhook-id": id }, body } };
}
