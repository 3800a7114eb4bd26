/**
 * The inbox and the secrets of a world's events: the real ones, in a folder that is made where a test needs it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEventSecrets } from "../../src/config/secrets/event-secrets.js";
import type { Runtime } from "../../src/context.js";
import { hasInbox, openInbox } from "../../src/inbox/inbox.js";
import type { Clock, Random } from "../../src/ports/machine.js";
import { oncePerProfile } from "../../src/system/machine.js";

interface Events {
	journal: Pick<Runtime["journal"], "inbox" | "hasInbox">;
	config: Pick<Runtime["config"], "eventSecrets">;
}

const folders: string[] = [];

function removeFolders(): void {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

export function eventsOf(clock: Clock, random: Random): Events {
	let directory: string | undefined;
	const inboxes = oncePerProfile((profile) => openInbox({ directory: place(), profile, clock, random }));
	const place = (): string => {
		if (directory === undefined) {
			const folder = mkdtempSync(join(tmpdir(), "purser-events-"));
			if (folders.push(folder) === 1) process.on("exit", removeFolders);
			directory = folder;
		}
		return directory;
	};
	return {
		journal: { inbox: inboxes.get, hasInbox: async (profile) => hasInbox({ directory: place(), profile }) },
		config: {
			eventSecrets: async (warn) => createEventSecrets({ directory: place(), env: { PURSER_NO_KEYRING: "1" }, platform: "linux", warn }),
		},
	};
}
