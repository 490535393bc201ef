import { html, nothing, type TemplateResult } from 'lit';
import { maxBlink, type Mode, type View } from '../protocol/compare.js';
import { hints, pageLabels } from './messages.js';

const modeNames = Object.entries({
	slider: pageLabels.slider,
	side: pageLabels.sideBySide,
	overlay: pageLabels.overlay,
	difference: pageLabels.difference,
} satisfies Record<Mode, string>) as [Mode, string][];

/** Facts that the buttons depend on. */
interface Compared {
	readonly view: View;
	/** The view that is shown: not all are possible with all images. */
	readonly mode: Mode;
	/** Name of the right image. */
	readonly name: string;
	/** True where both images can be shown. */
	readonly isPossible: boolean;
	/** True where they are not of one shape. */
	readonly areDifferent: boolean;
}

/** Choices among the views of two images, with what belongs to the one that is shown. */
export function viewButtons(
	{ view, mode, name, isPossible, areDifferent }: Compared,
	look: (part: Partial<View>) => void,
): TemplateResult {
	const isOfWidth = view.fit === 'width';
	return html`
		<div class="buttons" role="group" aria-label="Comparison">
			${modeNames.map(
				([value, label]) => html`
					<button
						aria-pressed=${value === mode ? 'true' : 'false'}
						?disabled=${!isPossible}
						@click=${() => look({ mode: value })}
					>
						${label}
					</button>
				`,
			)}
		</div>
		${mode === 'overlay' ? overlayControls(view, name, look) : nothing}
		${
			mode === 'difference'
				? range(pageLabels.threshold, view.threshold, 1, (threshold) => look({ threshold }))
				: nothing
		}
		${
			mode !== 'side' && areDifferent
				? html`<button
						aria-pressed=${isOfWidth ? 'true' : 'false'}
						title=${hints.matchWidth}
						@click=${() => look({ fit: isOfWidth ? 'whole' : 'width' })}
					>
						${pageLabels.matchWidth}
					</button>`
				: nothing
		}
	`;
}

function overlayControls(
	{ opacity, blink }: View,
	name: string,
	look: (part: Partial<View>) => void,
): TemplateResult {
	return html`
		${
			blink === 0
				? range(pageLabels.opacityOf(name), opacity, 0, (value) => look({ opacity: value }))
				: nothing
		}
		<button
			aria-pressed=${blink === 0 ? 'false' : 'true'}
			title=${hints.blink}
			@click=${() => look({ blink: (blink + 1) % (maxBlink + 1) })}
		>
			${pageLabels.blink(blink)}
		</button>
	`;
}

/** A slider for percents. */
function range(
	name: string,
	value: number,
	least: number,
	onInput: (value: number) => void,
): TemplateResult {
	return html`<input
		class="percent"
		type="range"
		min=${least}
		aria-label=${name}
		aria-valuetext="${Math.round(value)} %"
		title=${name}
		.value=${String(value)}
		@input=${({ target }: InputEvent) => onInput((target as HTMLInputElement).valueAsNumber)}
	/>`;
}
