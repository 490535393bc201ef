import type * as vscode from 'vscode';
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

/** Changes of the links of documents to an image. */
export interface UpdatedLinks {
	/** As URIs. */
	readonly documents: readonly string[];
	/** Documents that show it in a way that stays as it is, as URIs. */
	readonly left: readonly string[];
	readonly notes: readonly string[];
	/** Takes the changes back; returns the documents that have changed since and stay, as URIs. */
	readonly undo: () => Promise<readonly string[]>;
}

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
	/** Has documents show an image on dark pages in the place of another one. */
	readonly linkPair: (light: vscode.Uri, dark: vscode.Uri) => Promise<UpdatedLinks>;
	/** The bundle of the threads that work on pixels, absolute. */
	readonly pixelWorker: string;
	/** The worker's bundle, absolute. */
	readonly worker: string;
}
