import type { RoundReader } from '../../library/knownRounds.js';
import type { Services } from '../../services.js';
import type { StudioEvent, StudioRequest } from '../../protocol/studio.js';
import type { FolderBeside } from './besideStudio.js';
import type { FolderFiles } from './folderFiles.js';
import type { DraftReferences, PlaceName } from './references.js';
import type { Sources } from './sources.js';

/** Services that the studio needs. */
export type StudioDeps = Pick<
	Services,
	| 'callConfirmation'
	| 'gallery'
	| 'generator'
	| 'history'
	| 'jobs'
	| 'keys'
	| 'annotations'
	| 'models'
	| 'newDrafts'
	| 'preferences'
	| 'questions'
	| 'deletedImages'
	| 'storage'
	| 'styles'
>;

/** Request of the page of one type. */
export type PageRequest<Type extends StudioRequest['type']> = Extract<
	StudioRequest,
	{ readonly type: Type }
>;

/** Context that the parts of one studio share. */
export interface StudioContext {
	readonly deps: StudioDeps;
	/** Place in which the studio is shown. */
	readonly place: PlaceName;
	/** Those of the draft, the same in all places of the window. */
	readonly references: DraftReferences;
	readonly rounds: RoundReader;
	/** Folder of the workspace that the user is in. */
	readonly beside: FolderBeside;
	/** Those of the folder that the user has chosen. */
	readonly files: FolderFiles;
	readonly sources: Sources;
	/** Sends an event to the page. */
	readonly send: (event: StudioEvent) => void;
	/** Begins what takes the user or the service its time. A failure is shown to the user. */
	readonly begin: (task: PromiseLike<unknown>) => void;
}
