/**
 * The plans of batches in the folder in which a person works.
 */
import { inCurrency } from "../api/amount.js";
import { at, listAt, textAt } from "../api/answer.js";
import { parseJson } from "../api/json.js";
import type { Files } from "../ports/machine.js";
import type { Choice } from "../ports/terminal.js";

/** Maximum number of plans that are read, and of bytes of one. */
const [maxPlans, maxBytes] = [50, 10 * 1024 * 1024];

/** The newest plan first. What cannot be read is left out: the path can still be typed. */
export async function planChoices({ list, read }: Pick<Files, "list" | "read">): Promise<Choice[]> {
	const names = (await list(".").catch(() => [])).filter((name) => name.endsWith(".plan.json")).slice(0, maxPlans);
	const plans = await Promise.all(
		names.map(async (name) => {
			try {
				const plan = at(parseJson(new TextDecoder().decode(await read(`./${name}`, maxBytes))), "plan");
				if (textAt(plan, "batch") === undefined) return [];
				const planned = textAt(plan, "planned") ?? "";
				const totals = listAt(plan, "totals").map((total) => inCurrency(textAt(total, "amount") ?? "", textAt(total, "currency")));
				const amount = totals.length > 2 ? `${totals.length} ledgers` : totals.join(" + ");
				const parts = [
					`Batch ${textAt(plan, "batch")}`,
					`${textAt(plan, "count")} rows`,
					amount,
					planned.slice(0, 10),
					textAt(plan, "profile"),
				];
				return [{ planned, value: name, label: parts.filter(Boolean).join(" · "), hint: name }];
			} catch {
				return [];
			}
		}),
	);
	return plans
		.flat()
		.sort((one, other) => (one.planned < other.planned ? 1 : -1))
		.map(({ planned: _, ...choice }) => choice);
}
