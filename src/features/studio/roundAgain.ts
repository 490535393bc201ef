import { WordedError } from '../../editor/errorTexts.js';
import { mayExist } from '../../editor/files.js';
import { choose } from '../../editor/messages.js';
import { withOfferedChoices } from '../../editor/service.js';
import { safeText } from '../../editor/untrustedText.js';
import { moneyOfRequests } from '../../editor/money.js';
import { maxUnasked } from '../../generation/confirmations.js';
import { nameOfOriginal } from '../../library/galleryLookup.js';
import type { Draft } from '../../asking/draft.js';
import { urisOf } from '../../editor/imageRequest.js';
import { labels, phrases } from '../../messages.js';
import { askedReferences } from '../../jobs/gallery.js';
import { ownReferences, type ImageRequest } from '../../jobs/request.js';
import type { Round, RoundSlot } from '../../library/rounds.js';
import { requestsFor } from './actions.js';
import type { StudioDeps } from './deps.js';
import type { PastedImages } from './pastedImages.js';
import { studioMessages } from '../messages.js';

/** A round that cannot be made once more, because something that it was made from is gone. */
class GoneError extends WordedError {
	override readonly name = 'GoneError';
}

/**
 * Makes all of a round once more, as a round of its own. It is one click, so the user is asked first,
 * once.
 *
 * @throws {GoneError} where a reference image is not there any more; nothing was sent
 */
export async function roundAgain(
	{ slots }: Round,
	pasted: PastedImages,
	deps: StudioDeps,
): Promise<void> {
	// What was made of an answer without the service comes by itself.
	const asked = slots.filter(({ restores }) => restores === undefined).map(draftOf);
	await assertThere(asked);
	const { offered, words } = withOfferedChoices(asked);
	const requests: ImageRequest[] = [];
	// A user who has to say where the images go says it once for those that are alike.
	for (const alike of Map.groupBy(offered, (one) => JSON.stringify(one)).values()) {
		const draft = { ...alike[0]!, count: alike.length };
		const some = await requestsFor(draft, pasted, deps);
		if (some === undefined) {
			return;
		}
		requests.push(...some);
	}
	const count = requests.length;
	const cost = phrases.withMoney(phrases.paidRequests(count), moneyOfRequests(requests));
	const question = studioMessages.againQuestion(count);
	// Above that number the generator asks, with all that is asked for here but other sizes.
	const isAskedLater = count > maxUnasked() && words === undefined;
	const detail = [...(words === undefined ? [] : [words]), cost];
	if (isAskedLater || (await choose(question, detail, labels.generate)) !== undefined) {
		await deps.generator.make(requests);
	}
}

function draftOf({ image, request }: RoundSlot): Draft {
	const asked = image ?? request;
	if (asked === undefined) {
		throw new Error('A place of a round has neither an image nor a request.');
	}
	const { operation, prompt, size, quality, background, withoutStyle, marks } = asked;
	const sources = image
		? askedReferences(image)
		: ((request && ownReferences(request).map(({ source }) => source)) ?? []);
	const references = sources.map((source) => ({ source }));
	const choices = { size, quality, background, withoutStyle, marks };
	return { operation, prompt, ...choices, count: 1, references };
}

async function assertThere(drafts: readonly Draft[]): Promise<void> {
	const all = urisOf(drafts.flatMap(({ references }) => references));
	for (const uri of new Map(all.map((one) => [one.toString(), one])).values()) {
		// What cannot be looked at now is found out before anything is sent.
		if (!(await mayExist(uri))) {
			const name = nameOfOriginal(uri);
			throw new GoneError(studioMessages.missingForRound(safeText(name)));
		}
	}
}
