/**
 * Verifies what the journal holds besides payments against its events, in the order in which they were written: the settings on record, the
 * highest service time and the numbers of the checks of doubts.
 */
import type { SettingsRecord } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import type { SqlRow, Storage } from "../../sqlite/storage.js";
import { settingChanges, settingsKind } from "../intents/settings-record.js";
import type { Findings } from "../intents/steps.js";
import { atService } from "../sqlite/service-time.js";

/** Takes every event, oldest first, then compares. */
export class OwnEvents {
	#settings?: SettingsRecord;
	/** The earliest that the highest service time can be. */
	#least?: string;
	#checks = 0;

	constructor(private readonly findings: Findings) {}

	see(row: SqlRow): void {
		if (!["settings", "clock", "begun", "moved", "begun-batch", "looked"].includes(String(row.kind))) return;
		const content = contentOf(row);
		if (row.kind === settingsKind && row.intent === null && row.batch === null)
			this.#seeSettings(row, content as unknown as SettingsRecord);
		else if (row.kind === "clock") this.#least = String(content.service);
		else if (row.kind === "looked")
			this.#checks = Math.max(this.#checks, Number((content.check as { number?: number } | undefined)?.number ?? 0));
		else if (typeof content.skew === "number") this.#least = [this.#least ?? "", atService(String(row.at), content.skew)].sort().at(-1);
	}

	/** The first record may hold any settings: earlier ones were never recorded. */
	#seeSettings({ seq }: SqlRow, record: SettingsRecord): void {
		const last = this.#settings;
		const { how, changes, settings } = record;
		if (last !== undefined && (how === "first" || JSON.stringify(changes) !== JSON.stringify(settingChanges(last.settings, settings))))
			this.findings.add(`the settings recorded in event ${seq} do not follow from those recorded before`);
		this.#settings = record;
	}

	/** The stored time may be later than all events, because refused steps have no event; set back, it would let an expired plan be sent. */
	compare(storage: Storage): void {
		const meta = (key: string) => statement(storage, "SELECT value FROM meta WHERE key = ?").get(key)?.value;
		const highest = meta("service-time");
		if (this.#least !== undefined && !(typeof highest === "string" && highest >= this.#least))
			this.findings.add(`the highest time of the service is kept as ${highest ?? "nothing"}, but its events say ${this.#least}`);
		const counted = Number(meta("looks") ?? 0);
		// A number must not be given twice.
		if (this.#checks > counted) this.findings.add(`look ${this.#checks} is on record, but only ${counted} were counted`);
	}
}

/** What cannot be read was altered, which the chain tells. */
function contentOf({ content }: SqlRow): Record<string, unknown> {
	try {
		return JSON.parse(String(content)) as Record<string, unknown>;
	} catch {
		return {};
	}
}
