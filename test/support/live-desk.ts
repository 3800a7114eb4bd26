/**
 * A desk whose profile is live, against a service of this machine over TLS, for guards that apply to live money only.
 */
import { cpSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { selfSigned } from "../faults/wire-certificate.js";
import type { CountingPeer, PeerOptions } from "./counting-peer.js";
import type { Desk, Ended } from "./driver.js";
import { countedDesk, payment } from "./driver-campaign.js";

export interface LiveDesk extends Desk {
	peer: CountingPeer;
	config: string;
	/** The files of the profile `desk`. */
	anchor: string;
	journal: string;
	/** Pays in a script. @returns as {@link codeOf} */
	pay(reference: string, ...words: string[]): Promise<string>;
	/** What `history verify` finds. */
	verified(): Promise<{ code: unknown; faults: string[]; restored?: unknown }>;
	/** Puts a copy in the place of the journal. */
	putBack(copy: string): void;
}

/** The words of a live payment in a script. */
export const livePayment = (reference: string, amount = "10.10"): string[] => [...payment(reference, amount).argv, "--live"];

/** The exit code of a run in a script, and the code of its error where it told one. */
export const codeOf = ({ code, stderr }: Ended): string => {
	const line = stderr.split("\n").find((one) => one.includes('"error"'));
	return `${code} ${line ? (JSON.parse(line) as { error: { code: string } }).error.code : ""}`.trim();
};

/** Gone once the test is over. @param options of the peer */
export async function newLiveDesk(options: PeerOptions = {}, program?: string): Promise<LiveDesk> {
	const tls = selfSigned("localhost");
	const { desk, peer } = await countedDesk({ slowest: 1, ...options, tls }, program);
	const config = join(desk.folder, "config");
	const file = join(config, "profiles.json");
	const stored = JSON.parse(await readFile(file, "utf8"));
	stored.profiles.desk.environment = "live";
	await writeFile(file, JSON.stringify(stored));
	await writeFile(join(desk.folder, "certificate.pem"), tls.cert);
	desk.env.NODE_EXTRA_CA_CERTS = join(desk.folder, "certificate.pem");
	const journal = join(desk.state, "journal", "desk.live.db");
	return {
		...desk,
		peer,
		config,
		anchor: join(config, "anchors", "desk.live.json"),
		journal,
		pay: async (reference, ...words) => codeOf(await desk.start([...livePayment(reference), ...words]).ended),
		verified: async () => {
			const { code, stdout } = await desk.start(["history", "verify", "--json"]).ended;
			const { faults, restored } = JSON.parse(stdout);
			return { code, faults, restored };
		},
		putBack: (copy) => {
			for (const part of ["-wal", "-shm"]) rmSync(journal + part, { force: true });
			cpSync(copy, journal);
		},
	};
}
