import type { LitElement } from 'lit';
import type { Image, Round, Slot } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import { dispatch } from '../dispatch.js';
import { ask, askJobs } from './events.js';
import type { RoundAction } from './roundHeader.js';
import { comparedOf } from './roundView.js';

/** The list, as far as what is done in it needs it. */
interface ActingList extends LitElement {
	readonly known: ReadonlyMap<string, Round>;
	readonly images: ReadonlyMap<string, Image>;
}

interface Options {
	slots(round: string): readonly Slot[];
	/** Keeps a round where it is seen, while it becomes higher or lower. */
	hold(round: string): void;
	/** The element of a cell. */
	element(id: string): HTMLElement | undefined;
}

/** What a person does with rounds and jobs, by their buttons, keys and menus. */
export class RoundListActions {
	/** The round whose name is being written. */
	renaming: string | undefined;

	constructor(
		private readonly host: ActingList,
		private readonly options: Options,
	) {}

	readonly runRound = (id: string, action: RoundAction): void => {
		switch (action) {
			case 'rename':
				void this.#rename(id);
				return;
			case 'collapse':
			case 'expand':
				this.options.hold(id);
				ask(this.host, { type: 'markRound', id, collapsed: action === 'collapse' });
				return;
			case 'compare':
				dispatch(
					this.host,
					'easel-list-compare',
					comparedOf(this.options.slots(id), this.host.images),
				);
				return;
			case 'again':
				ask(this.host, { type: 'roundAgain', id });
				return;
			case 'from': {
				const from = this.host.known.get(id)?.from?.id;
				if (from !== undefined) {
					dispatch(this.host, 'easel-show', from);
				}
			}
		}
	};

	readonly more = (id: string, actions: readonly RoundAction[], button: HTMLElement): void =>
		dispatch(this.host, 'easel-list-more', { id, actions, button });

	readonly runJobs = (ids: readonly string[], action: JobAction): void =>
		askJobs(this.host, ids, action);

	readonly openJob = (id: string): void => {
		const tile = this.options.element(id);
		if (tile !== undefined) {
			dispatch(this.host, 'easel-list-job', { id, tile });
		}
	};

	readonly keep = (id: string, kept: boolean): void =>
		ask(this.host, { type: 'markImage', id, kept });

	readonly edit = (id: string): void => ask(this.host, { type: 'image', id, action: 'edit' });

	/** @param name missing where the old one stays */
	readonly renamed = (id: string, name: string | undefined): void => {
		// The field that goes loses the focus, which comes here too.
		if (this.renaming !== id) {
			return;
		}
		this.renaming = undefined;
		this.host.requestUpdate();
		if (name !== undefined && name !== (this.host.known.get(id)?.name ?? '')) {
			ask(this.host, { type: 'markRound', id, name });
		}
	};

	async #rename(id: string): Promise<void> {
		this.renaming = id;
		this.host.requestUpdate();
		await this.host.updateComplete;
		const field = this.host.renderRoot.querySelector<HTMLInputElement>('.rename');
		field?.focus();
		field?.select();
	}
}
