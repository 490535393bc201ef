/** An element of the page that gets the focus as soon as it shows what it is about. */
export type FocusTarget =
	'prompt' | 'search' | 'grid' | 'detail' | 'comparison' | 'mark' | 'markNote';

interface FocusRequest {
	readonly target: FocusTarget;
	readonly id: string | undefined;
}

/** The element that gets the focus next: it takes it when it is shown. */
export class FocusRequests {
	#wanted: FocusRequest | undefined;

	constructor(private readonly changed: () => void) {}

	/**
	 * Gives an element the focus, as soon as it is shown.
	 *
	 * @param from where the focus has to be now; else it stays where the user has gone
	 */
	request(
		target: FocusTarget,
		from: 'anywhere' | 'page' | 'composer' = 'anywhere',
		id?: string,
	): void {
		if (from === 'anywhere' || from === focusedPart()) {
			this.#wanted = { target, id };
			this.changed();
		}
	}

	/** Takes the focus that was wanted, once; `undefined` where it is not for this element. */
	take(target: FocusTarget): FocusRequest | undefined {
		const wanted = this.#wanted;
		if (wanted?.target !== target) {
			return undefined;
		}
		this.#wanted = undefined;
		return wanted;
	}
}

/** Returns the part with the focus; `undefined` where the page has none. */
function focusedPart(): 'composer' | 'page' | undefined {
	const { activeElement, body } = document;
	if (activeElement === null || activeElement === body) {
		return undefined;
	}
	return activeElement.closest('easel-compose') === null ? 'page' : 'composer';
}
