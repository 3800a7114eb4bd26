import type { AnchorPlace } from "../../ports/anchor.js";
import type { Profile } from "../../ports/profiles.js";
import { openAnchorPlace } from "./anchors.js";
import { openKeyring } from "./keyring.js";

/** The place of a profile's anchor, with the keyring of this system. @throws PurserError as {@link openAnchorPlace} */
export function openProfileAnchor(
	profile: Profile,
	{ directory, env, platform }: { directory: string; env: Readonly<Record<string, string | undefined>>; platform: string },
): Promise<AnchorPlace> {
	return openAnchorPlace({ directory, profile, keyring: () => openKeyring(env, platform) });
}
