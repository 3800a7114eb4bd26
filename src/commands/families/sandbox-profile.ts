/**
 * The profile of a local sandbox, and what can be typed next with it.
 */
import { adviceText, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { recordGuards } from "../../payments/rules/guards.js";
import type { Sandbox } from "../../sandbox/sandbox.js";
import { storeMapping } from "./store-mapping.js";

/** Saves a profile for this sandbox, selects it and logs it in. */
export async function saveProfile(context: Context, name: string, url: string, sandbox: Sandbox): Promise<void> {
	const profiles = await context.config.profiles();
	const profile = {
		name,
		baseUrl: url,
		environment: "sandbox" as const,
		auth: { kind: "login" as const, username: "operator", partnerName: "example-partner" },
		// Named, so that nothing of what a profile of this name mapped before survives.
		mapping: undefined,
		settings: {},
	};
	const before = await profiles.get(name);
	if (before && before.environment !== "sandbox")
		throw new PurserError("guard", {
			code: "NOT_A_SANDBOX_PROFILE",
			message: `The profile ${name} is not a sandbox and is kept as it is`,
			fix: "Choose another name with --save-profile.",
		});
	if (before) await recordGuards(context, profile, before.settings, profile.settings);
	await storeMapping(context, before ?? profile, profile);
	await profiles.use(name);
	const { token, refreshToken } = await sandbox.logIn({
		username: "operator",
		partnerName: "example-partner",
		password: "sandbox-password",
	});
	const { warning } = await (await context.config.credentials()).set(profile, { kind: "tokens", token, refreshToken });
	if (warning) context.report.warn(warning);
	await context.report.show(`Profile ${name} is logged in and in use.\n`);
}

/** What to type next. */
export function hints(url: string, profile: string | undefined, { state }: Sandbox): string {
	const login = purser`auth login --base-url ${url} --username operator --partner-name example-partner`;
	const [from, to] = state.ledgers;
	// A kept state may have several ledgers of one name.
	const named = ({ id, friendlyName }: (typeof state.ledgers)[number]): string =>
		state.ledgers.filter((one) => one.friendlyName === friendlyName).length === 1 ? friendlyName : id;
	const pay = from && to && purser`pay ledger --from ${named(from)} --to ${named(to)} --amount 10.10`;
	const [first, ...then] = [
		...(profile === undefined ? [login] : []),
		...(pay ? [purser`ledger list`, pay] : [purser`corporate create`]),
	].map((command) => adviceText(command));
	return [`In another terminal: ${first}`, ...then.map((line) => `Then: ${line}`)].join("\n");
}
