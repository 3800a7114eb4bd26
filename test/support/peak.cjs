// Preloaded: writes the most memory that the process held, in KB, and the processor's seconds to the file that PEAK_FILE names, at the end.
const { writeFileSync } = require("node:fs");
process.on("exit", () => {
	const { user, system } = process.cpuUsage();
	writeFileSync(process.env.PEAK_FILE, `${process.resourceUsage().maxRSS} ${(user + system) / 1e6}`);
});
