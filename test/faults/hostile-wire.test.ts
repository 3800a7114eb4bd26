/**
 * A peer that speaks bytes, against a real process: what no library should let through, it must not either.
 */

import { mkdtemp, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, expect, it } from "vitest";
import { longestRun, program, words } from "../support/built.js";
import { writeProfile } from "../support/profile-file.js";
import { type Peer, startPeer } from "./wire-peer.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";

let peer: Peer;
afterEach(() => peer.close());

async function against(answer: (socket: Socket) => void) {
	peer = await startPeer(answer);
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const env = {
		PATH: process.env.PATH ?? "",
		HOME: folder,
		PURSER_CONFIG_DIR: folder,
		PURSER_STATE_DIR: folder,
		PURSER_TOKEN: "token-of-the-test",
	};
	await writeProfile(folder, `http://127.0.0.1:${peer.port}`);
	const argv = ["ledger", "show", id, "--timeout", "3"];
	const ran = await execa(program, words([...argv]), { env, extendEnv: false, reject: false, stdin: "ignore", timeout: longestRun });
	await rm(folder, { recursive: true, force: true });
	return ran;
}

const head = (length: number | string, more = ""): string =>
	`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${more}content-length: ${length}\r\n\r\n`;

it.each<[string, (socket: Socket) => void, number[], RegExp]>([
	["an answer that never ends, without a length", (socket) => endless(socket), [1], /is longer than 10485760 bytes/],
	["control characters in a header", (socket) => socket.end(head(2, "x-a: \u0001\u001b[2J\r\n").concat("{}")), [0, 1, 6], /^/],
	["no HTTP at all", (socket) => socket.end("\u001b[2J220 mail.example.com ESMTP\r\n"), [6], /no usable answer/],
	["two lengths", (socket) => socket.end(head(2, "content-length: 5\r\n").concat("{}")), [6], /no usable answer/],
])(
	"%s",
	async (_name, answer, exits, message) => {
		const ran = await against(answer);
		expect(ran.timedOut).toBe(false);
		expect(exits).toContain(ran.exitCode);
		expect(ran.stderr).toMatch(message);
		expect(ran.stdout + ran.stderr).not.toContain("\u001b");
		expect(ran.stdout + ran.stderr).not.toMatch(/fault of its own|bug in purser|\n\s+at |node:internal/);
	},
	30_000,
);

function endless(socket: Socket): void {
	socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[");
	const part = Buffer.alloc(1024 * 1024, 0x20);
	// What failed is not followed by more: a socket that fails calls back for whatever is written meanwhile, and would never end.
	const more = (error?: Error | null): void => {
		if (!error) socket.write(part, more);
	};
	more();
}
