// The page of the Compare editor, or of the choice among drafts: its body says which.
import { html, nothing, render, type TemplateResult } from 'lit';
import {
	compareProtocol,
	defaultView,
	comparisonStateSchema,
	maxPastedBytes,
	type Decision,
	type ComparedPicture,
	type Side,
} from '../protocol/compare.js';
import { draftsProtocol } from '../protocol/drafts.js';
import type { ChannelError } from '../protocol/pageChannel.js';
import { placeInBox, type Compared, type Comparison } from './comparison.js';
import { connect, useStyles, vscode } from './connection.js';
import { differentPart } from './difference.js';
import { contentsOf, mayHaveImages, readDropped } from './drops.js';
import { commonBox, type Rectangle } from './geometry.js';
import { hasModifier, isWriting } from './keys.js';
import { hints, pageLabels, pageMessages } from './messages.js';
import styles from './page.css';
import { shortenedName } from './shortenedName.js';

useStyles(styles);
if (document.body.dataset['page'] === 'drafts') {
	showDrafts();
} else {
	showComparison();
}

/** Two images, and what can become of the one that was made from the other. */
function showComparison(): void {
	const saved = comparisonStateSchema.safeParse(vscode.getState()).data;
	let { pair, view } = saved ?? { pair: undefined, view: defaultView };
	let pictures: Partial<Record<Side, ComparedPicture>> = {};
	let made: Side | undefined;
	let isPasted = false;
	let hasConcept = false;

	const save = () => {
		if (pair !== undefined) {
			vscode.setState({ pair, view });
		}
	};
	const draw = () => {
		const { left, right } = pictures;
		drawPage(
			made !== undefined
				? decisionBar(made, left, right)
				: isPasted && right?.type === 'image'
					? saveBar()
					: hasConcept && view.mode === 'difference'
						? briefBar()
						: nothing,
			html`<easel-comparison
				.images=${[comparedOf('left', left), comparedOf('right', right)]}
				.view=${view}
				.label=${hints.compareKeys}
				@easel-compare-change=${({ target }: Event) => {
					const { mode } = view;
					({ view } = target as Comparison);
					save();
					if (view.mode !== mode) {
						// What stands above depends on it.
						draw();
					}
				}}
				@easel-compare-undecodable=${({ detail: side }: CustomEvent<Side>) => {
					// The element says so itself; this is for the log, and not missed.
					extension.ask({ type: 'undecodable', side }).catch(() => undefined);
				}}
			></easel-comparison>`,
		);
	};
	const saveBar = () => html`
		<div class="decision row">
			<span>${hints.pasted}</span>
			<div class="buttons">
				<button
					@click=${() => {
						// What goes wrong is shown by the extension.
						extension.ask({ type: 'save' }).catch(() => undefined);
					}}
				>
					${pageLabels.saveAs}
				</button>
			</div>
		</div>
	`;
	const writeBrief = async () => {
		const { threshold } = view;
		const both = [pictures.left, pictures.right].filter((one) => one?.type === 'image');
		const placesIn = (box: Rectangle) =>
			both.map((picture, index) => ({
				source: picture.source,
				place: placeInBox(picture, index, 'difference', view, box),
			}));
		const box = commonBox(both, view.fit === 'width');
		// Without the figure, the brief has both images still.
		const part = await differentPart(box, placesIn, threshold).catch(() => undefined);
		await extension.ask({ type: 'brief', threshold, ...(part !== undefined && { part }) });
	};
	const briefBar = () => html`
		<div class="decision row">
			<span>${hints.handOver}</span>
			<div class="buttons">
				<button
					@click=${() => {
						// What goes wrong is shown by the extension.
						writeBrief().catch(() => undefined);
					}}
				>
					${pageLabels.writeBrief}
				</button>
			</div>
		</div>
	`;
	const mark = () => {
		// What goes wrong is shown by the extension.
		extension.ask({ type: 'mark' }).catch(() => undefined);
	};
	const decisionBar = (side: Side, left?: ComparedPicture, right?: ComparedPicture) => {
		const names = [left?.name ?? '', right?.name ?? ''] as const;
		const [fresh, original] = side === 'left' ? names : (names.toReversed() as [string, string]);
		const button = (decision: Decision, label: string, what: string) => html`
			<button
				class=${decision === 'replace' ? 'primary' : ''}
				title=${what}
				@click=${() => {
					// What goes wrong is shown by the extension.
					extension.ask({ type: 'decide', decision }).catch(() => undefined);
				}}
			>
				${label}
			</button>
		`;
		return html`
			<div class="decision row">
				<span>${hints.sides[side]}</span>
				<div class="buttons" role="group" aria-label="New Image">
					${button('replace', pageLabels.useNew, hints.useNew(fresh, original))}
					${button('keepBoth', pageLabels.keepBoth, hints.keepBoth(fresh, original))}
					${button('discard', pageLabels.deleteNew, hints.deleteNew(fresh, original))}
					<button title="${hints.markNew(fresh)} (M)" @click=${mark}>${pageLabels.markNew}</button>
				</div>
			</div>
		`;
	};
	const extension = connect(compareProtocol, (event) => {
		if (pair === undefined && event.mode !== undefined) {
			view = { ...view, mode: event.mode };
		}
		({ pair, made, isPasted = false, hasConcept = false } = event);
		pictures = event;
		save();
		draw();
	});
	const take = async ({ uris, files }: ReturnType<typeof contentsOf>) => {
		const [uri] = uris;
		const [file] = files;
		if (uri !== undefined) {
			await extension.ask({ type: 'drop', uri });
		} else if (file !== undefined) {
			const bytes = await readDropped(file, maxPastedBytes);
			if (typeof bytes === 'string') {
				pictures = { ...pictures, right: { type: 'problem', name: file.name, message: bytes } };
				draw();
			} else {
				await extension.ask({ type: 'paste', bytes });
			}
		}
	};
	window.addEventListener('keydown', (event) => {
		if (event.key === 'm' && made !== undefined && !hasModifier(event) && !isWriting(event)) {
			event.preventDefault();
			mark();
		}
	});
	window.addEventListener('paste', (event) => {
		const contents = event.clipboardData && contentsOf(event.clipboardData);
		if (contents && contents.files.length > 0) {
			event.preventDefault();
			take(contents).catch(() => undefined);
		}
	});
	// Taken: the workbench would open it otherwise.
	window.addEventListener('dragover', (event) => {
		if (event.dataTransfer && mayHaveImages(event.dataTransfer)) {
			event.preventDefault();
		}
	});
	window.addEventListener('drop', (event) => {
		if (event.dataTransfer && mayHaveImages(event.dataTransfer)) {
			event.preventDefault();
			take(contentsOf(event.dataTransfer)).catch(() => undefined);
		}
	});
	draw();
	extension.ask({ type: 'ready' }).catch(({ message }: ChannelError) => {
		// What has been shown is worth more than why it is not shown anew.
		pictures = { left: { type: 'problem', name: '', message }, ...pictures };
		draw();
	});
}

/**
 * Two to four drafts. Arrow keys move, Enter or a double click uses the one that is selected, a digit
 * uses that one at once, Escape leaves all as they are.
 */
function showDrafts(): void {
	let pictures: readonly ComparedPicture[] = [];
	let selected = 0;

	const use = (index: number) => {
		if (pictures[index]?.type === 'image') {
			selected = index;
			draw();
			// What goes wrong is shown by the extension.
			extension.ask({ type: 'use', index }).catch(() => undefined);
		}
	};
	const keepAll = () => {
		extension.ask({ type: 'keepAll' }).catch(() => undefined);
	};
	const onKey = (event: KeyboardEvent) => {
		const { key, target } = event;
		const last = pictures.length - 1;
		const to = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -last, End: last };
		const by = to[key as keyof typeof to] as number | undefined;
		if (hasModifier(event) || !(target as Element).matches('.stage')) {
			return;
		}
		if (by !== undefined) {
			selected = Math.max(0, Math.min(selected + by, last));
			draw();
		} else if (key === 'Enter') {
			use(selected);
		} else if (key === 'Escape') {
			keepAll();
		} else if (/^[1-9]$/.test(key) && Number(key) - 1 <= last) {
			use(Number(key) - 1);
		} else {
			return;
		}
		event.preventDefault();
	};
	const draw = () => {
		drawPage(
			html`
				<div class="decision row">
					<h1>${hints.chooseDraft(pictures.length)}</h1>
					<div class="buttons" role="group" aria-label=${pageLabels.drafts}>
						<button class="primary" @click=${() => use(selected)}>
							${pageLabels.useDraft(selected + 1)}
						</button>
						<button @click=${keepAll}>${pageLabels.keepAll}</button>
					</div>
				</div>
			`,
			html`<easel-comparison
				.images=${pictures.map((picture, index) => comparedOf(String(index), picture, index + 1))}
				.view=${sideBySide}
				.current=${selected}
				.isChoice=${true}
				.label=${pageLabels.drafts}
				@keydown=${{ handleEvent: onKey, capture: true }}
				@dblclick=${({ target }: Event) => {
					if ((target as Element).closest('.cell') !== null) {
						use(selected);
					}
				}}
				@easel-compare-change=${({ target }: Event) => {
					if (selected !== (target as Comparison).current) {
						selected = (target as Comparison).current;
						draw();
					}
				}}
			></easel-comparison>`,
		);
	};
	const extension = connect(draftsProtocol, (event) => {
		const isFirst = pictures.length === 0;
		({ pictures } = event);
		vscode.setState(event.state);
		draw();
		const comparison = document.querySelector<Comparison>('easel-comparison');
		if (isFirst) {
			void comparison?.updateComplete.then(() => comparison.focus());
		}
	});
	extension.ask({ type: 'ready' }).catch(({ message }: ChannelError) => {
		pictures = [{ type: 'problem', name: '', message }];
		draw();
	});
}

const sideBySide = { ...defaultView, mode: 'side' } as const;

function drawPage(above: TemplateResult | typeof nothing, comparison: TemplateResult): void {
	render(html`<main class="panel column">${above} ${comparison}</main>`, document.body);
}

/** @param number missing where it has none */
function comparedOf(id: string, picture: ComparedPicture | undefined, number?: number): Compared {
	const { name = '' } = picture ?? {};
	const image = picture?.type === 'image' ? picture : undefined;
	const details = image?.details ?? '';
	return {
		id,
		name: number === undefined ? name : `${number}, ${name}, ${details}`,
		caption: html`
			${number === undefined ? nothing : html`<strong>${number}</strong>`} ${shortenedName(name)}
			<span class="details quiet">${details}</span>
		`,
		picture: image,
		problem: problemOf(picture),
	};
}

/** Why there is no picture, in words for people. */
function problemOf(picture: ComparedPicture | undefined): string {
	switch (picture?.type) {
		case undefined:
			return '';
		case 'problem':
			return picture.message;
		case 'image':
			return pageMessages.damagedNamed(picture.name);
	}
}
