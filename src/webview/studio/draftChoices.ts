import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { qualityNames, type Quality, type SizeOption } from '../../protocol/studio.js';
import { counts, sizeOf, type Draft, type Setup } from './draft.js';
import { namesOf, pictureOf } from './sizePicture.js';

const qualityOrder = Object.keys(qualityNames) as Quality[];

interface Choosing {
	/** With them there is no quality to choose. */
	readonly hasReferences: boolean;
	readonly change: (part: Partial<Draft>) => void;
}

/** Size, quality and number of images, as radio buttons. */
export function draftChoices(
	draft: Draft,
	setup: Setup,
	{ hasReferences, change }: Choosing,
): TemplateResult {
	const size = sizeOf(draft, setup);
	const use = setup.sizes.find((option) => option.size === size)?.use ?? '';
	return html`
		<fieldset role="radiogroup" aria-labelledby="size">
			<legend id="size">Size</legend>
			<div class="choices sizes">
				${setup.sizes.map((option) => sizeChoice(option, option.size === size, change))}
			</div>
			<p class="use quiet">${capitalized(use)}</p>
		</fieldset>
		${hasReferences ? noQualities : qualities(draft.quality ?? setup.defaults.quality, change)}
		<fieldset role="radiogroup" aria-labelledby="count">
			<legend id="count">Images</legend>
			<div class="choices counts">
				${counts.map((count) =>
					choice({
						group: 'count',
						value: String(count),
						isChosen: count === draft.count,
						content: html`<span>${count}</span>`,
						choose: () => change({ count }),
					}),
				)}
			</div>
		</fieldset>
	`;
}

function sizeChoice(
	option: SizeOption,
	isChosen: boolean,
	change: Choosing['change'],
): TemplateResult {
	const { size, use, experimental } = option;
	const [name, kind] = namesOf(option);
	const picture = pictureOf(size);
	const content = html`
		<span class="picture" aria-hidden="true">
			${
				picture === undefined
					? html`<span class="box automatic">
							<vscode-icon name="server" size="12"></vscode-icon>
						</span>`
					: html`<span
							class="box"
							.style="width: ${picture.width}px; height: ${picture.height}px"
						></span>`
			}
		</span>
		<span class="name">${name}</span>
		<span class="kind">${kind}</span>
		${
			experimental
				? html`<span class="kind experimental">Experimental</span>
						<vscode-icon class="beaker" name="beaker" size="12"></vscode-icon>`
				: nothing
		}
	`;
	const choose = () => change({ size });
	return choice({ group: 'size', value: size, isChosen, content, choose, title: use });
}

const noQualities = html`
	<div>
		<span class="label">Quality</span>
		<p class="use quiet">The service takes no quality together with reference images.</p>
	</div>
`;

function qualities(chosen: Quality, change: Choosing['change']): TemplateResult {
	return html`
		<fieldset role="radiogroup" aria-labelledby="quality">
			<legend id="quality">Quality</legend>
			<div class="choices qualities">
				${qualityOrder.map((quality) => {
					const { label, description } = qualityNames[quality];
					return choice({
						group: 'quality',
						value: quality,
						isChosen: quality === chosen,
						content: html`<span>${label}</span><span class="kind">${description}</span>`,
						choose: () => change({ quality }),
					});
				})}
			</div>
		</fieldset>
	`;
}

interface Choice {
	/** Of those of one group one is chosen. */
	readonly group: string;
	readonly value: string;
	readonly isChosen: boolean;
	readonly content: TemplateResult;
	readonly choose: () => void;
	readonly title?: string;
}

function choice({ group, value, isChosen, content, choose, title }: Choice): TemplateResult {
	return html`
		<label class="choice">
			<input
				type="radio"
				name=${group}
				value=${value}
				title=${title ?? nothing}
				.checked=${live(isChosen)}
				@change=${choose}
			/>
			${content}
		</label>
	`;
}

function capitalized(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}
