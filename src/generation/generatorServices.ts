import type { Preferences } from '../editor/preferences.js';
import type { ApiKeys } from '../editor/secrets.js';
import type { Recipes } from '../jobs/deliver.js';
import type { FinishedJobs } from '../jobs/finishedJobs.js';
import type { Gallery } from '../jobs/gallery.js';
import type { Journal } from '../jobs/journal.js';
import type { ImageRequest } from '../jobs/request.js';
import type { Slots } from '../jobs/slots.js';
import type { Leases } from '../jobs/windowLeases.js';
import type { Anchors } from './anchors.js';
import type { Exporter } from './exporter.js';
import type { Budget } from './budget.js';
import type { DeletedImages } from '../library/deletedImages.js';
import type { JobList } from './jobList.js';
import type { SmallerReferences } from './referenceImages.js';
import type { Styles } from '../style/styles.js';

export interface GeneratorServices {
	/** Makes small files of images. */
	readonly exporter: Exporter;
	/** Images that agents may request without a question. */
	readonly budget: Budget;
	/** Removes jobs at their end. */
	readonly finished: FinishedJobs;
	readonly gallery: Gallery;
	readonly anchors: Anchors;
	/** Images that were deleted or discarded and can be restored. */
	readonly deletedImages: DeletedImages;
	readonly jobs: JobList;
	readonly journal: Journal;
	readonly keys: ApiKeys;
	readonly leases: Leases;
	readonly preferences: Preferences;
	readonly recipes: Recipes;
	readonly slots: Slots;
	readonly smallerReferences: SmallerReferences;
	readonly styles: Styles;
	/** Lets the user change requests that have failed; how they are asked for is no matter of this room. */
	readonly changeRequests: (requests: readonly ImageRequest[]) => Promise<void>;
	/** The bundle of the threads that work on pixels, absolute. */
	readonly pixelWorker: string;
	/** The worker's bundle, absolute. */
	readonly worker: string;
}
