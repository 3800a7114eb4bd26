import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { catalog } from "../../api/operations/catalog.js";
import { field } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { storedProfile } from "../../config/named.js";
import { unconfirmedAmong } from "../../mapping/request/confirmation.js";
import { requireNothingUnderWay, usableMapping } from "../families/mapping-file.js";

const used = () =>
	z.strictObject({
		profile: z.string(),
		operations: z.number(),
		/** Operations that the service does not have. */
		absent: z.array(z.string()),
		/** Operations that nobody has confirmed as they are now. */
		unconfirmed: z.array(z.string()),
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
		file: field(z.string(), { description: "The mapping, YAML or JSON; - for standard input", positional: true, placeholder: "file|-" }),
	}),
	answer: used,
	async run(context, { file }): Promise<Answer<Used>> {
		const profile = await storedProfile(context);
		const mapping = await usableMapping(context, file);
		const changed = { ...profile, mapping };
		const used: Used = {
			profile: profile.name,
			operations: Object.values(mapping.operations).filter((one) => one !== "none").length,
			absent: Object.entries(mapping.operations).flatMap(([id, one]) => (one === "none" ? [id] : [])),
			unconfirmed: unconfirmedAmong(catalog, changed).map(({ id }) => id),
		};
		if (context.settings.flags.dryRun) return { data: { ...used, dryRun: true }, next: [purser`api use ${{ path: file }}`] };
		await requireNothingUnderWay(context, profile, changed);
		await (await context.config.profiles()).change(profile.name, (stored) => ({ ...stored, mapping }));
		const { unconfirmed } = used;
		return { data: used, next: unconfirmed.length > 0 ? unconfirmed.map((id) => purser`api confirm ${id}`) : [purser`doctor`] };
	},
	text: ({ profile, operations, absent, unconfirmed, dryRun }, style) =>
		[
			dryRun
				? `A dry run: nothing was stored in the profile ${style.bold(profile)}.`
				: `${style.good("Stored")} in the profile ${style.bold(profile)}.`,
			style.pairs({
				Mapped: `${operations} of ${catalog.length} operations`,
				"Not there": absent.length === 0 ? undefined : absent.join(", "),
				"To confirm": unconfirmed.length === 0 ? undefined : unconfirmed.join(", "),
			}),
		].join("\n"),
});
