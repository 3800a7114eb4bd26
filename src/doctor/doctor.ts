/**
 * One visit: every check of this machine and, where that is asked for, of the service.
 */
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, checked, warning } from "./check.js";
import { checkConfiguration, checkKeyring, checkLogin, checkMapping } from "./configuration.js";
import { checkCompletion, checkProxy, checkVersions } from "./machine.js";
import { shownAddress } from "./mistake.js";
import { type Asked, mostLooks, type ProbeReport, probe } from "./probe.js";
import { probedOf, serviceCheck } from "./provenance.js";
import { checkClock, checkRecord } from "./record.js";

export interface Visit {
	/** The worst of the checks. */
	state: Check["state"];
	/** Null where none is in use. */
	profile: { name: string; environment: Profile["environment"]; baseUrl: string } | null;
	checks: Check[];
	/** Only where the service was asked. */
	probe?: ProbeReport;
}

/** @throws PurserError usage, where the service is to be asked and there is no profile; interrupted */
export async function visit(context: Context, asksService: boolean): Promise<Visit> {
	const profile = await profileInUse(context);
	const known = profile instanceof PurserError ? undefined : profile;
	if (asksService && profile instanceof PurserError && profile.failure.code === "NO_PROFILE") throw profile;
	const checks: Check[] = [
		await checked("versions", () => checkVersions(context)),
		await checked("configuration", () => checkConfiguration(context, profile)),
		...(known === undefined ? [] : await checksOf(context, known)),
		await checked("keyring", () => checkKeyring(context)),
		await checked("proxy", () => checkProxy(context, known)),
		await checked("completion", () => checkCompletion(context)),
	];
	const asked = asksService && known !== undefined ? await askService(context, known, checks) : undefined;
	return {
		state: (["fault", "warning"] as const).find((state) => checks.some((one) => one.state === state)) ?? "ok",
		profile: known === undefined ? null : { name: known.name, environment: known.environment, baseUrl: shownAddress(known.baseUrl) },
		checks,
		probe: asked,
	};
}

async function profileInUse(context: Context): Promise<Profile | PurserError> {
	try {
		return (await context.settings()).profile;
	} catch (error) {
		if (error instanceof PurserError && error.kind !== "interrupted") return error;
		throw error;
	}
}

async function checksOf(context: Context, profile: Profile): Promise<Check[]> {
	return [
		await checked("mapping", () => checkMapping(profile)),
		await checked("login", () => checkLogin(context, profile)),
		...(await checkRecord(context, profile)),
	];
}

/** Asks the service, and replaces the check of the clock by one that knows the service's. What was found is kept with the profile. */
async function askService(context: Context, profile: Profile, checks: Check[]): Promise<ProbeReport | undefined> {
	const login = checks.find(({ check }) => check === "login");
	if (login?.state === "fault") {
		checks.push(warning("service", "Not tried: without a login nothing could be told", "Log in first, then run this again."));
		return undefined;
	}
	context.reporter.step(`Asking ${shownAddress(profile.baseUrl)}: GET only, two requests a second, at most ${mostLooks}.`);
	context.reporter.step("Answers are compared with those for paths that cannot exist (no-such-path).");
	const { report, mistake } = await probe(context, profile, (asked, number) => context.reporter.step(stepText(asked, number)));
	checks.push(serviceCheck(report, mistake));
	const clock = checks.findIndex(({ check }) => check === "clock");
	if (checks[clock]?.state === "ok") checks[clock] = await checkClock(context, undefined, profile);
	await keep(context, profile, report);
	return report;
}

function stepText({ path, status, trouble }: Asked, number: number): string {
	return `${String(number).padStart(3)}  ${String(status ?? "-").padEnd(3)}  GET ${path}${trouble === undefined ? "" : ` (${trouble})`}`;
}

/** Not in a dry run, and not for another address than the stored profile's. */
async function keep(context: Context, profile: Profile, report: ProbeReport): Promise<void> {
	if (context.flags.dryRun) return;
	const profiles = await context.profiles();
	const stored = await profiles.get(profile.name);
	if (stored?.baseUrl !== profile.baseUrl) return;
	try {
		await profiles.save({ ...stored, probed: { ...stored.probed, ...probedOf(profile, report) } });
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.reporter.warn(`What was found could not be kept with the profile: ${error.message}`);
	}
}
