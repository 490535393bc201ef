import type { Log } from '../../editor/log.js';
import type { Preferences } from '../../editor/preferences.js';
import type { ApiKeys } from '../../editor/secrets.js';
import type { Generator } from '../../generation/generator.js';
import type { JobList } from '../../generation/jobList.js';
import type { Gallery } from '../../jobs/gallery.js';

/** What the studio needs of the rest. */
export interface StudioNeeds {
	readonly generator: Generator;
	readonly gallery: Gallery;
	readonly jobs: JobList;
	readonly keys: ApiKeys;
	readonly log: Log;
	readonly preferences: Preferences;
}
