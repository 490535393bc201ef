import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { showError, withErrorMessage } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { settingOr } from '../../editor/settings.js';
import type { PickItem } from '../../editor/untrustedText.js';
import type { BudgetState } from '../../generation/budget.js';
import { readPrices } from '../../editor/money.js';
import { stepLabels } from '../../generation/failures.js';
import { separator } from '../../asking/questions.js';
import { openSettings } from '../../generation/report.js';
import type { Services } from '../../services.js';
import { formatMoney, formatMoneyRange } from '../../images/wording.js';
import type { PriceList } from '../../service/price.js';
import { spendingMessages } from '../messages.js';
import { askPrices } from './prices.js';
import { lastEmptyBalance, spendingPeriods, type Period, type Spender, type Sums } from './sums.js';

/** An item that says something, and what Enter does with it; after `again` the list is shown anew. */
interface Line extends PickItem {
	readonly run?: () => Promise<unknown>;
}

/** "Show Spending…": what the ledger has of today, this week and this month; and the prices. */
export function registerSpending(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.showSpending', () => withErrorMessage(() => showSpending(deps))),
		registerCommand('easel.setPrices', () =>
			withErrorMessage(async () => {
				await askPrices();
			}),
		),
	);
}

/** The command. @throws {SettingError} where a limit of the budget is wrong; the system's error */
export async function showSpending(deps: Pick<Services, 'budget' | 'ledger'>): Promise<void> {
	for (;;) {
		const answer = await askPick<Line>({
			title: commandTitles['easel.showSpending'],
			placeholder: spendingMessages.placeholder,
			items: await linesOf(deps),
			matchOnDescription: true,
			acceptable: ({ run }) => run !== undefined,
		});
		if (answer?.type !== 'value' || (await answer.value.run?.()) !== 'again') {
			return;
		}
	}
}

async function linesOf({ budget, ledger }: Pick<Services, 'budget' | 'ledger'>): Promise<Line[]> {
	// What was spent is shown without money where the prices are wrong.
	const prices = settingOr(readPrices, showError);
	const lines = await ledger.spending();
	const empty = lastEmptyBalance(lines);
	const periods = spendingPeriods(lines, prices);
	const isNothing = periods.every(({ bySpender }) => bySpender.size === 0);
	return [
		...(empty === undefined ? [] : emptyBalanceLines(new Date(empty.time))),
		pricesLine(prices),
		...(isNothing
			? [{ icon: 'info', label: spendingMessages.nothing(lines.length > 0) }]
			: periods.flatMap((period) => periodLines(period, prices))),
		separator(spendingMessages.agents),
		await budgetLine(budget),
	];
}

function pricesLine(prices: PriceList | undefined): Line {
	const image = prices?.prices['image'];
	return {
		icon: 'tag',
		label: commandTitles['easel.setPrices'],
		description:
			prices === undefined
				? spendingMessages.noPrices
				: image === undefined
					? ''
					: spendingMessages.eachImage(formatMoney(image, prices.currency)),
		run: async () => ((await askPrices(true)) ? 'again' : undefined),
	};
}

function emptyBalanceLines(time: Date): Line[] {
	const words = time.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' });
	return [
		separator(spendingMessages.balance),
		{ icon: 'warning', label: spendingMessages.emptyBalance, description: words },
		{
			icon: 'key',
			label: stepLabels.useAnotherKey,
			description: spendingMessages.orTopUp,
			run: () => runCommand('easel.setApiKey'),
		},
	];
}

function periodLines({ name, bySpender, all }: Period, prices: PriceList | undefined): Line[] {
	const own = [...bySpender].map(([spender, sums]) => sumsLine(spender, sums, prices));
	return [
		separator(spendingMessages.periods[name]),
		...(own.length === 0 ? [{ label: spendingMessages.noRequests }] : []),
		...(own.length > 1 ? [sumsLine('all', all, prices)] : []),
		...own,
	];
}

/** `You  23 requests · €0.92 to €1.00`, with what has become of them below. */
function sumsLine(spender: Spender | 'all', sums: Sums, prices: PriceList | undefined): Line {
	const { sent, made, answers, charged, unknown, isWithoutWords } = sums;
	const range = prices && sums.money && formatMoneyRange(sums.money, prices.currency);
	const money = range && isWithoutWords ? spendingMessages.withoutWords(range) : range;
	const results = made + answers + charged;
	return {
		label: spendingMessages.spenders[spender],
		description: [spendingMessages.requests(sent), money].filter(Boolean).join(' · '),
		detail: [
			spender !== 'words' && spendingMessages.made(made),
			(spender === 'words' || answers > 0) && spendingMessages.answers(answers),
			charged > 0 && spendingMessages.charged(charged),
			unknown > 0 && spendingMessages.unknown(unknown, results === 0),
		]
			.filter(Boolean)
			.join(' · '),
	};
}

async function budgetLine(budget: Services['budget']): Promise<Line> {
	const state = await budget.state();
	return {
		icon: 'shield',
		label: budgetWords(state),
		description: spendingMessages.changeBudget,
		run: () => openSettings('easel.budget'),
	};
}

function budgetWords({ used_today: today, allowed_today: perDay }: BudgetState): string {
	return perDay > 0 ? spendingMessages.usedToday(today, perDay) : spendingMessages.noBudget;
}
