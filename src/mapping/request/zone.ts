/**
 * Times that a deployment tells without their zone.
 */
const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/;

/** Whether a zone is `UTC`, an offset, or a name that this machine knows. */
export function isZone(zone: string): boolean {
	if (/^[+-]\d{2}:\d{2}$/.test(zone)) return true;
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
		return true;
	} catch {
		return false;
	}
}

/** A time with the zone that it has there; as it is, where it has one already, is no time, or the hour came twice that day. */
export function inZone(time: unknown, zone: string): unknown {
	const [, date, clock] = typeof time === "string" ? (local.exec(time) ?? []) : [];
	const near = Date.parse(`${date}T${clock}Z`);
	if (date === undefined || Number.isNaN(near)) return time;
	if (/^[+-]/.test(zone)) return `${date}T${clock}${zone}`;
	const day = 24 * 3_600_000;
	const offsets = new Set([near - day, near + day].map((moment) => offsetAt(moment, zone)));
	const fitting = [...offsets].map((offset) => `${date}T${clock}${offset}`).filter((one) => one.endsWith(offsetAt(Date.parse(one), zone)));
	return fitting.length === 1 ? fitting[0] : time;
}

/** By how much a zone is ahead of UTC at a moment: `+02:00`. */
function offsetAt(moment: number, zone: string): string {
	const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(moment);
	const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
	return /^GMT([+-]\d{2}:\d{2})/.exec(name)?.[1] ?? "+00:00";
}
