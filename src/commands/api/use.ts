import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { catalog } from "../../api/operations/catalog.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { storedProfile } from "../../config/named.js";
import { unconfirmedAmong } from "../../mapping/request/confirmation.js";
import { requireNothingUnderWay, usableMapping } from "../families/mapping-file.js";

const used = () =>
	z.strictObject({
		...{ profile: z.string(), operations: z.number() },
		/** Operations that the service does not have, and those that nobody has confirmed as they are now. */
		...{ absent: z.array(z.string()), unconfirmed: z.array(z.string()) },
		dryRun: z.optional(z.boolean()),
	});
type Used = z.output<ReturnType<typeof used>>;

export default defineCommand({
	path: "api use",
	summary: "Store a mapping with the profile",
	details:
		"The profile then sends and reads as the file says. The whole file is checked first, and nothing is stored where anything is wrong. A file confirms nothing: a payment whose entry nobody has confirmed is not sent. It is refused while a payment is being sent; one in doubt is settled through the new mapping, and `pay settle` says so.",
	examples: {
		"api use bank.yaml --dry-run": "Check the file, and store nothing",
		"api use bank.yaml --profile live": "Store it",
	},
	input: z.strictObject({
		file: plain("The mapping, YAML or JSON; - for standard input", { positional: true, placeholder: "file|-" }),
	}),
	answer: used,
	async run(context, { file }): Promise<Answer<Used>> {
		const profile = await storedProfile(context);
		const mapping = await usableMapping(context, file);
		const changed = { ...profile, mapping };
		const entries = Object.entries(mapping.operations);
		const absent = entries.filter(([, one]) => one === "none").map(([id]) => id);
		const unconfirmed = unconfirmedAmong(catalog, changed).map(({ id }) => id);
		const used: Used = { profile: profile.name, operations: entries.length - absent.length, absent, unconfirmed };
		if (context.settings.flags.dryRun) return { data: { ...used, dryRun: true }, next: [purser`api use ${{ path: file }}`] };
		await requireNothingUnderWay(context, profile, changed);
		await (await context.config.profiles()).change(profile.name, (stored) => ({ ...stored, mapping }));
		return { data: used, next: unconfirmed.length > 0 ? unconfirmed.map((id) => purser`api confirm ${id}`) : [purser`doctor`] };
	},
	text: ({ profile, operations, absent, unconfirmed, dryRun }, style) => {
		const stored = dryRun ? "A dry run: nothing was stored" : style.good("Stored");
		const mapped = `${operations} of ${catalog.length} operations`;
		const rows = { Mapped: mapped, "Not there": absent.join(", "), "To confirm": unconfirmed.join(", ") };
		return `${stored} in the profile ${style.bold(profile)}.\n${style.pairs(rows)}`;
	},
});
