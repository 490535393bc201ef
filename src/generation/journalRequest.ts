import * as vscode from 'vscode';
import { readSetting } from '../editor/settings.js';
import { createJob, type CreateOptions } from '../jobs/createJob.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { PlacedRequest } from '../jobs/request.js';
import { sourcesOf, type SmallerReferences } from './referenceImages.js';
import { assertTarget } from './target.js';

/**
 * Puts a request on disk, with copies of its references, before anything is sent.
 *
 * @throws {OutsideWorkspaceError} where the image could not be saved at its target
 * @throws {RequestError} naming the reference that cannot be used; the system's error
 * @throws {StyleGuideError} where a reference image of the style is not what it was
 */
export async function journalRequest(
	request: PlacedRequest,
	options: CreateOptions & { readonly smallerReferences: SmallerReferences },
): Promise<JobEntry> {
	await assertTarget(request.target);
	const sources = sourcesOf(request);
	return createJob(
		{
			...request,
			model: readSetting('service.model'),
			provenance: readSetting('output.provenance', vscode.Uri.parse(request.target.folder, true)),
			// The service takes none with references.
			quality: sources.length > 0 ? undefined : request.quality,
		},
		request.smallerReferences
			? await options.smallerReferences.sources(sources, request.size)
			: sources,
		options,
	);
}
