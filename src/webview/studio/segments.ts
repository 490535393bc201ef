import { html, nothing, type TemplateResult } from 'lit';

interface Option<Value extends string> {
	readonly value: Value;
	readonly label: string;
	/** What a screen reader calls it, where that is not the label. */
	readonly name?: string;
	readonly title?: string | undefined;
	readonly count?: number | undefined;
	readonly isDisabled?: boolean;
}

interface Segments<Value extends string> {
	/** Of the radio buttons, unique in the page. */
	readonly name: string;
	readonly legend: string;
	readonly value: Value;
	readonly options: readonly Option<Value>[];
	readonly choose: (value: Value) => void;
}

/** A few choices beside each other, of which one counts. */
export function segments<Value extends string>({
	name,
	legend,
	value,
	options,
	choose,
}: Segments<Value>): TemplateResult {
	return html`
		<fieldset class="segments">
			<legend class="hidden">${legend}</legend>
			${options.map(
				(option) => html`
					<label title=${option.title ?? option.name ?? nothing}>
						<input
							type="radio"
							name=${name}
							aria-label=${option.name ?? nothing}
							.checked=${option.value === value}
							?disabled=${option.isDisabled ?? false}
							@change=${() => choose(option.value)}
						/>
						<span
							>${option.label}${option.count === undefined ? nothing : html` <small>${option.count}</small>`}</span
						>
					</label>
				`,
			)}
		</fieldset>
	`;
}
