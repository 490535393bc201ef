import type { JobEvent } from '../jobs/workerProtocol.js';
import { readableDuration } from '../editor/expectation.js';
import { sentPromptOf, type GenerationRequest } from '../jobs/request.js';
import type { JobState } from '../jobs/state.js';
import { shortened } from '../editor/untrustedText.js';
import { log } from '../log.js';

/** Logs what a job says about itself while it runs: what is needed to ask the service about it. */
export function logEvent(request: GenerationRequest, event: JobEvent): void {
	switch (event.type) {
		case 'attempt': {
			const style = request.style === undefined ? '' : ' with the style guide';
			const references =
				request.references.length > 0 ? `, ${String(request.references.length)} references` : '';
			log.info(
				`${request.id} attempt ${String(event.attempt)}: POST /v1/images/${event.endpoint}, ${request.model}, ${request.size}, quality ${request.quality ?? 'unset'}${references}, prompt of ${String(sentPromptOf(request).length)} characters${style}.`,
			);
			return;
		}
		case 'failed': {
			const { message, charge, status, requestId, elapsedMs } = event.failure;
			const next = {
				stop: 'not repeated',
				ask: 'you are asked',
				wait: 'repeated after a wait',
			}[event.next.action];
			log.warn(
				`${request.id} attempt ${String(event.attempt)} failed after ${readableDuration(elapsedMs)}${status === undefined ? '' : ` with ${String(status)}`} (${charge}; ${next})${requestIdWords(requestId)}: ${message}`,
			);
			return;
		}
		case 'stalled':
			log.warn(
				event.code === undefined
					? `${request.id}: the disk takes the image again.`
					: `${request.id}: the disk refuses the image (${event.code}); it is tried again.`,
			);
			return;
		case 'phase':
		case 'ended':
			return;
	}
}

/** Logs what became of a job once nothing more will change by itself. */
export function logEnd({ id }: GenerationRequest, state: JobState): void {
	if (state.state === 'received') {
		const { bytes, width, height, format, elapsedMs, requestId } = state.result;
		log.info(
			`${id} received: ${String(bytes)} bytes, ${String(width)} x ${String(height)} ${format}, ${readableDuration(elapsedMs)}${requestIdWords(requestId)}.`,
		);
	} else if (state.state === 'interrupted') {
		log.error(`${id} was interrupted (${state.charge}): ${state.reason ?? ''}`);
	} else if (state.state === 'failed') {
		log.error(`${id} failed: ${state.failure.message}`);
	}
}

function requestIdWords(requestId: string | undefined): string {
	return requestId === undefined ? '' : `, request id ${shortened(requestId, 200)}`;
}
