// Preloaded: writes the most memory that the process held, in KB, to the file that PEAK_FILE names, at the end.
const { writeFileSync } = require("node:fs");
process.on("exit", () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));
