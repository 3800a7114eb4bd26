import { purser } from "../../../api/advice.js";
import { at, type Received, textAt } from "../../../api/answer.js";
import { setWebhookFault } from "../../../sandbox/simulate/control.js";
import { simulation } from "../../families/simulate.js";

function faultsOf(data: Received): readonly unknown[] {
	const faults = at(data, "faults");
	return Array.isArray(faults) ? faults : [];
}

export default simulation(setWebhookFault, {
	path: "sandbox simulate webhook",
	summary: "Let the sandbox's next events arrive twice, badly signed or not at all",
	details:
		"The sandbox must have been started with --events-to. duplicate: the next event arrives twice. bad-signature: the first try is signed with another secret, and the second one 5 seconds later is good. lost: it never arrives. rotate: a new secret signs, and for 24 hours the earlier one signs too. Without a fault it shows what waits to be delivered.",
	examples: [
		{ run: "sandbox simulate webhook lost", note: "Nobody hears of the next event" },
		{ run: "sandbox simulate webhook duplicate:x3", note: "Each of the next three arrives twice" },
		{ run: "sandbox simulate webhook rotate", note: "A new secret" },
	],
	text: (data, style) => {
		const faults = faultsOf(data);
		const until = textAt(data, "bothSignUntil");
		return [
			...(until === undefined ? [] : [`${style.good("New secret")}: the earlier one signs too until ${until} (the sandbox's clock)`]),
			`Waiting to be delivered  ${textAt(data, "waiting") ?? "0"}`,
			`Given up                 ${textAt(data, "failed") ?? "0"}`,
			...(faults.length === 0 ? [] : ["Next events:", ...faults.map((fault) => `  ${String(fault)}`)]),
		].join("\n");
	},
	next: (data) => {
		if (textAt(data, "bothSignUntil") !== undefined) return [purser`sandbox webhook-secret`];
		return faultsOf(data).length === 0 ? [] : [purser`sandbox simulate webhook --clear`];
	},
});
