import * as vscode from 'vscode';
import { assertServiceOffers, readService } from '../editor/service.js';
import { readSetting } from '../editor/settings.js';
import { roundedMarks } from '../images/marks.js';
import { createJob, type CreateOptions } from '../jobs/createJob.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { PlacedRequest } from '../jobs/request.js';
import {
	defaultService,
	marksMannerOf,
	takesQuality,
	takesTransparency,
} from '../service/services.js';
import { sourcesOf, type SmallerReferences } from './referenceImages.js';
import { assertTarget } from './target.js';

/**
 * Puts a request on disk, with copies of its references, before anything is sent.
 *
 * @throws {OutsideWorkspaceError} where the image could not be saved at its target
 * @throws {RequestError} naming what the service does not offer, or the reference that cannot be used
 * @throws the system's error
 * @throws {StyleGuideError} where a reference image of the style is not what it was
 */
export async function journalRequest(
	request: PlacedRequest,
	options: Omit<CreateOptions, 'marking'> & {
		readonly smallerReferences: SmallerReferences;
		/** The bundle of the threads that draw marks, absolute. */
		readonly pixelWorker: string;
	},
): Promise<JobEntry> {
	await assertTarget(request.target);
	const sources = sourcesOf(request);
	const marks = request.marks && roundedMarks(request.marks);
	const manner = marks && marksMannerOf(readService());
	const copies = manner === 'copy' ? 1 : 0;
	const service = assertServiceOffers(request, sources.length + copies);
	const { id, model } = service;
	return createJob(
		{
			...request,
			marks,
			// That of a request that is sent again was drawn for another job.
			markedImage: undefined,
			...(id !== defaultService && { service: id }),
			model,
			provenance: readSetting('output.provenance', vscode.Uri.parse(request.target.folder, true)),
			quality: takesQuality(service, sources.length) ? request.quality : undefined,
			background: takesTransparency(service) ? request.background : undefined,
		},
		request.smallerReferences
			? await options.smallerReferences.sources(sources, request.size)
			: sources,
		{ ...options, ...(manner && { marking: { manner, script: options.pixelWorker } }) },
	);
}
