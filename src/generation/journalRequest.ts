import * as vscode from 'vscode';
import { assertServiceOffers } from '../editor/service.js';
import { readSetting } from '../editor/settings.js';
import { createJob, type CreateOptions } from '../jobs/createJob.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { PlacedRequest } from '../jobs/request.js';
import { defaultService, takesQuality, takesTransparency } from '../service/services.js';
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
	options: CreateOptions & { readonly smallerReferences: SmallerReferences },
): Promise<JobEntry> {
	await assertTarget(request.target);
	const sources = sourcesOf(request);
	const service = assertServiceOffers(request, sources.length);
	const { id, model } = service;
	return createJob(
		{
			...request,
			...(id !== defaultService && { service: id }),
			model,
			provenance: readSetting('output.provenance', vscode.Uri.parse(request.target.folder, true)),
			quality: takesQuality(service, sources.length) ? request.quality : undefined,
			background: takesTransparency(service) ? request.background : undefined,
		},
		request.smallerReferences
			? await options.smallerReferences.sources(sources, request.size)
			: sources,
		options,
	);
}
