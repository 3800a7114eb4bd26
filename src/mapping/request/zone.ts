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
	const at = Date.parse(`${date}T${clock}Z`);
	if (date === undefined || Number.isNaN(at)) return time;
	if (/^[+-]/.test(zone)) return `${date}T${clock}${zone}`;
	const day = 24 * 3_600_000;
	const fitting = [...new Set([at - day, at + day].map((near) => offsetAt(near, zone)))].filter(
		(offset) => offsetAt(at - offset * 60_000, zone) === offset,
	);
	return fitting.length === 1 ? `${date}T${clock}${offsetText(fitting[0] as number)}` : time;
}

/** Minutes by which a zone is ahead of UTC at a moment. */
function offsetAt(moment: number, zone: string): number {
	const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(moment);
	const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
	const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
	return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function offsetText(offset: number): string {
	const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
	return `${offset < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
}
