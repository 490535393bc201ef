import type { ReactiveControllerHost } from 'lit';
import type { Query } from '../../protocol/studio.js';
import { ask } from './events.js';

/** How long nobody types before it is searched, in milliseconds. */
const typingPause = 150;

/** Has something else looked for, as soon as nobody types any more. */
export class Searching {
	#typing: ReturnType<typeof setTimeout> | undefined;

	constructor(private readonly host: ReactiveControllerHost & EventTarget) {
		host.addController({ hostDisconnected: () => clearTimeout(this.#typing) });
	}

	search(query: Query, isTyping: boolean): void {
		clearTimeout(this.#typing);
		this.#typing = setTimeout(
			() => ask(this.host, { type: 'search', query }),
			isTyping ? typingPause : 0,
		);
	}
}
