import { tables as common } from "../tables/schema.js";

/** Marks the file as a purser journal ("PURS"). */
export const applicationId = 0x50555253;

/** The tables, and what keeps their events. */
export const tables = `${common}
CREATE TRIGGER event_is_kept BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_is_not_lost BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
`;
