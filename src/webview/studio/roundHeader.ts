import { html, nothing, type TemplateResult } from 'lit';
import { maxNameLength, type Round } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { shortened } from './prompts.js';
import { hints, labels } from '../messages.js';

/** What the header has buttons for; the menu has what there is no room for. */
export type RoundAction = 'rename' | 'collapse' | 'expand' | 'compare' | 'again' | 'from';

interface Header {
	readonly id: string;
	/** Missing while it is not known yet. */
	readonly round: Round | undefined;
	readonly collapsed: boolean;
	/** How many places it has. */
	readonly count: number;
	/** Whether it is the one with the tab stops; the line of one that is collapsed is one itself. */
	readonly isTabStop: boolean;
	/** The images that can be compared, if all of them can be at once. */
	readonly compared: readonly string[];
	/** In pixels. */
	readonly width: number;
	readonly isRenaming: boolean;
	readonly run: (action: RoundAction) => void;
	readonly more: (actions: readonly RoundAction[], button: HTMLElement) => void;
	/** @param name missing where the old one stays */
	readonly renamed: (name: string | undefined) => void;
}

/** `Round 3 · “make the accent green”`, or its name; what stands in the quotes is a person's. */
export function titleOf({ title, name, prompt }: Round): string {
	return name === undefined ? `${title} · “${shortened(prompt, 200)}”` : `${title} · ${name}`;
}

/** The line above the tiles of a round. */
export function roundHeader(header: Header): TemplateResult {
	const { id, round, collapsed, isTabStop, run } = header;
	const [buttons, menu] = divided(header);
	const tab = isTabStop ? 0 : -1;
	const has = (action: RoundAction) => buttons.includes(action);
	return html`
		<div class="header" role="row" .style="width: ${header.width}px">
			<div class="title" role="rowheader">
				<button
					class="icon fold"
					data-cell=${collapsed ? id : nothing}
					tabindex=${tab}
					aria-expanded=${collapsed ? 'false' : 'true'}
					aria-label=${round?.title ?? labels.round}
					title=${collapsed ? labels.expand : labels.collapse}
					@click=${() => run(collapsed ? 'expand' : 'collapse')}
				>
					${codicon(collapsed ? 'chevron-right' : 'chevron-down')}
				</button>
				${round === undefined ? nothing : wordsOf(round, header)}
			</div>
			<div class="tools" role="gridcell">
				${has('from') ? fromOf(round, tab, () => run('from')) : nothing}
				${
					has('compare')
						? html`<button class="small" tabindex=${tab} @click=${() => run('compare')}>
								Compare ${header.compared.length}
							</button>`
						: nothing
				}
				${
					has('again')
						? html`<button
								class="small"
								tabindex=${tab}
								title=${hints.regenerateRound}
								@click=${(event: MouseEvent) => {
									// A double click is not meant to be paid for twice.
									if (event.detail <= 1) {
										run('again');
									}
								}}
							>
								${labels.regenerate}
							</button>`
						: nothing
				}
				${header.width >= widths.age && round !== undefined ? html`<span class="age">${round.age}</span>` : nothing}
				<button
					class="icon"
					tabindex=${tab}
					aria-haspopup="menu"
					aria-label="More about ${round?.title ?? 'this round'}"
					title="More"
					@click=${({ currentTarget }: Event) => header.more(menu, currentTarget as HTMLElement)}
				>
					${codicon('ellipsis')}
				</button>
			</div>
		</div>
	`;
}

/** Leads to the image that the round continues, where that is one of the studio's. */
function fromOf(
	round: Round | undefined,
	tab: number,
	go: () => void,
): TemplateResult | typeof nothing {
	const from = round?.from;
	if (from === undefined) {
		return nothing;
	}
	return from.id === undefined
		? html`<span class="quiet from">from ${from.label}</span>`
		: html`<button class="link" tabindex=${tab} title="Show ${from.label}" @click=${go}>
				from ${from.label}
			</button>`;
}

function wordsOf(round: Round, header: Header): TemplateResult {
	const { id, isRenaming, renamed, count, width } = header;
	if (isRenaming) {
		return html`<input
			class="rename"
			aria-label="Name of ${round.title}"
			placeholder=${`Name of ${round.title}`}
			maxlength=${maxNameLength}
			.value=${round.name ?? ''}
			@keydown=${(event: KeyboardEvent) => {
				const input = event.currentTarget as HTMLInputElement;
				if (event.key === 'Escape') {
					event.preventDefault();
					renamed(undefined);
				} else if (event.key === 'Enter' && !event.isComposing) {
					event.preventDefault();
					renamed(input.value.trim());
				}
				// Nothing of it is for the tiles.
				event.stopPropagation();
			}}
			@blur=${(event: FocusEvent) => renamed((event.currentTarget as HTMLInputElement).value.trim())}
		/>`;
	}
	const more =
		round.prompts > 1
			? ` and ${round.prompts - 1} more`
			: round.name === undefined && count > 1
				? ` × ${count}`
				: '';
	return html`
		<h2 id="title-${id}" title=${`${titleOf(round)}${more} · ${round.age}`}>
			<span class="number">${round.title}</span>
			${
				round.name === undefined && width < roomForPrompt
					? nothing
					: html`<span class="quiet">·</span>
							<bdi class=${round.name === undefined ? 'quoted' : 'named'}
								>${round.name ?? `“${shortened(round.prompt, 200)}”`}</bdi
							>`
			}
		</h2>
		${more === '' ? nothing : html`<span class="quiet number">${more}</span>`}
	`;
}

/** From this width on, in pixels, enough of a prompt is seen in the line. */
export const roomForPrompt = 250;
/** From which width on, in pixels, there is room for what. */
const widths = { from: 250, again: 330, compare: 430, age: 620 };

/** Divides what can be done into what has a button, and what is in the menu. */
function divided({ round, collapsed, compared, width }: Header): [RoundAction[], RoundAction[]] {
	const possible: readonly (readonly [RoundAction, least: number])[] = [
		...(round?.from === undefined ? [] : [['from', widths.from] as const]),
		...(compared.length < 2 ? [] : [['compare', widths.compare] as const]),
		['again', widths.again],
	];
	const buttons = possible.flatMap(([action, least]) => (width >= least ? [action] : []));
	const others = possible.flatMap(([action]) =>
		buttons.includes(action) || (action === 'from' && round?.from?.id === undefined)
			? []
			: [action],
	);
	return [buttons, [...others, 'rename', collapsed ? 'expand' : 'collapse']];
}
