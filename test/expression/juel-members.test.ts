// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { contextOf, NOW } from './context.js';
import { evaluate, fails, table, variables } from './juel-support.js';

describe('JUEL', () => {
  table('members', [
    ['${order.id}', 'o-1'],
    ["${order['id']}", 'o-1'],
    ['${order["odd key"]}', 1],
    ['${order.lines[0].sku}', 'x'],
    ['${order.lines[0]["count"] + 1}', 3],
    ['${list[0]}', 'a'],
    ['${list["1"]}', 'b'],
    ['${list[1 + 1]}', 3],
    ['${list[9]}', null],
    ['${list[-1]}', null],
    ['${list[null]}', null],
    ['${order.missing}', null],
    ['${order.missing.deeper[0]}', null],
    ['${nothing.a}', null],
    ['${order.mod}', 7],
    ['${order.toString}', null],
    ['${order.hasOwnProperty}', null],
    ['${name.empty}', false],
    ['${start.time}', NOW],
    ['${start.year}', 2026],
    ['${order.lines}', variables.order.lines],
  ]);

  table('methods', [
    ['${name.length()}', 4],
    ['${list.lastIndexOf("b")}', 1],
    ['${yes.compareTo(no)}', 1],
    ['${" a ".stripLeading()}', 'a '],
    ['${" a ".stripTrailing()}', ' a'],
    ['${name.contentEquals("Anna")}', true],
    ['${order.lines[0].fieldNames().size()}', 2],
    ['${start.getHours() + start.minutes}', 38],
    ['${start.getMonth()}', 0],
    ['${start.getDay()}', 6],
    ['${start.getDate()}', 31],
    ['${name.contains("nn")}', true],
    ['${name.startsWith("A")}', true],
    ['${name.endsWith("x")}', false],
    ['${name.toUpperCase()}', 'ANNA'],
    ['${name.toLowerCase()}', 'anna'],
    ['${name.substring(1)}', 'nna'],
    ['${name.substring(1, 3)}', 'nn'],
    ['${name.indexOf("n")}', 1],
    ['${name.indexOf("n", 2)}', 2],
    ['${name.lastIndexOf("n")}', 2],
    ['${name.equalsIgnoreCase("aNNa")}', true],
    ['${name.equalsIgnoreCase("Bob")}', false],
    ['${blank.equalsIgnoreCase(null)}', false],
    ['${name.charAt(0)}', 'A'],
    ['${name.concat("!").concat(5)}', 'Anna!5'],
    ['${name.replace("n", "$&")}', 'A$&$&a'],
    ['${" x ".trim()}', 'x'],
    ['${name.equals("Anna")}', true],
    ['${name.equalsIgnoreCase("ANNA")}', true],
    ['${name.compareTo("B")}', -1],
    ['${"a,b,,".split(",")}', ['a', 'b']],
    ['${"a.b".split("\\\\.")[1]}', 'b'],
    ['${"a.b".split(".").size()}', 2],
    ['${name.isEmpty()}', false],
    ['${name.replaceAll("[an]", "_")}', 'A___'],
    ['${name.replaceAll("n+", "<$0>")}', 'A<nn>a'],
    ['${name.replaceAll("x*", "-")}', '-A-n-n-a-'],
    ['${name.replaceAll("a|A", "\\\\$")}', '$nn$'],
    ['${name.replaceFirst("n", "m")}', 'Amna'],
    ['${name.repeat(2)}', 'AnnaAnna'],
    ['${name.compareTo("Anton")}', -6],
    ['${name.compareTo("An")}', 2],
    ['${"a1b22c".split("[0-9]+")}', ['a', 'b', 'c']],
    ['${"a, b;c".split("[,;] *")}', ['a', 'b', 'c']],
    ['${",a".split(",|;")}', ['', 'a']],
    ['${"ab".split("x*")}', ['a', 'b']],
    ['${name.matches("[A-Z]n+a")}', true],
    ['${name.matches("nn")}', false],
    ['${name["length"]()}', 4],
    ['${"abc".length()}', 3],
    ['${list.size()}', 3],
    ['${list.isEmpty()}', false],
    ['${list.contains("b")}', true],
    ['${list.contains(3)}', true],
    ['${list.contains("3")}', false],
    ['${list.get(0)}', 'a'],
    ['${list.indexOf("b")}', 1],
    ['${list.subList(1, 3)}', ['b', 3]],
    ['${list.containsAll(none)}', true],
    ['${order.size()}', 6],
    ['${order.get("id")}', 'o-1'],
    ['${order.get("missing")}', null],
    ['${order.getOrDefault("missing", 5)}', 5],
    ['${order.containsKey("id")}', true],
    ['${order.containsKey("toString")}', false],
    ['${order.containsValue("o-1")}', true],
    ['${order.keySet().contains("total")}', true],
    ['${order.values().size()}', 6],
    ['${order.entrySet()[0].key}', 'id'],
    ['${order.prop("id").stringValue()}', 'o-1'],
    ['${order.prop("lines").elements()[0].prop("count").numberValue()}', 2],
    ['${order.hasProp("nope")}', false],
    ['${amount.toString()}', '1500'],
    ['${ratio.intValue()}', 0],
    ['${order.total.longValue()}', 99],
    ['${amount.equals(1500)}', true],
    ['${amount.compareTo(2000)}', -1],
    ['${yes.booleanValue()}', true],
    ['${now().plusHours(1).time - start.time}', 3_600_000],
    ['${now().plusMonths(1)}', new Date('2026-02-28T08:30:00.000Z')],
    ['${now().minusYears(1).year}', 2025],
    ['${now().withTimeAtStartOfDay()}', new Date('2026-01-31T00:00:00.000Z')],
    ['${now().withHourOfDay(23).getHourOfDay()}', 23],
    ['${now().getTime()}', NOW],
    ['${now().dayOfWeek}', 6],
    ['${now().before(start)}', false],
    ['${now().isAfter(start.minusMillis(1))}', true],
    ['${dateTime().plusWeeks(2).toDate()}', new Date('2026-02-14T08:30:00.000Z')],
    ['${start.toString()}', '2026-01-31T08:30:00.000Z'],
    ['${currentUser()}', 'anna'],
  ]);

  table('methods of numbers and booleans', [
    ['${big.doubleValue()}', 2 ** 60],
    ['${amount.floatValue() / 1000}', 1.5],
    ['${1e300.longValue()}', 2n ** 63n - 1n],
    ['${(-1e300).longValue()}', -(2n ** 63n)],
    ['${9223372036854775808.0.longValue()}', 2n ** 63n - 1n],
    ['${1e17.longValue()}', 10n ** 17n],
    ['${amount.compareTo(1500)}', 0],
    ['${amount.compareTo(1499)}', 1],
    ['${amount.equals(1501)}', false],
    ['${amount.equals("1500")}', false],
    ['${amount.equals(yes)}', false],
    ['${yes.equals(no)}', false],
    ['${amount.numberValue()}', 1500],
    ['${amount.value()}', 1500],
    ['${amount.isNumber()}', true],
    ['${big.isNumber()}', true],
    ['${(amount / 7).isNumber()}', true],
    ['${yes.isNumber()}', false],
    ['${yes.isBoolean()}', true],
    ['${amount.isBoolean()}', false],
    ['${yes.boolValue()}', true],
  ]);

  table('methods of lists', [
    ['${list.contains("a")}', true],
    ['${list.containsAll(list)}', true],
    ['${list.containsAll(order.lines)}', false],
  ]);

  table('methods of dates', [
    ['${start.monthOfYear}', 1],
    ['${start.withMonthOfYear(3)}', new Date('2026-03-31T08:30:00.000Z')],
    ['${start.isEqual(now())}', true],
    ['${start.isEqual(now().plusMillis(1))}', false],
    ['${start.equals(now())}', true],
    ['${start.equals(now().plusMillis(1))}', false],
    ['${start.before(now())}', false],
    ['${start.isBefore(now())}', false],
    ['${start.isBefore(now().plusMillis(1))}', true],
    ['${start.after(now())}', false],
    ['${start.isAfter(now())}', false],
    ['${start.after(now().minusMillis(1))}', true],
    ['${start.compareTo(now().plusDays(1))}', -1],
    ['${start.plusMillis(8640000000000000 - start.time).time}', 8.64e15],
  ]);

  describe('beans', () => {
    const execution = {
      property: (name: string) => ({ id: 'e-1', processBusinessKey: null })[name],
      call: (method: string, args: readonly unknown[]) => (method === 'getVariable' ? `<${args[0]}>` : undefined),
    };
    const context = contextOf({ ...variables, execution: 'shadowed', now2: 1 }, { execution });

    it('give properties and results of methods', () => {
      assert.equal(evaluate('${execution.id}', context), 'e-1');
      assert.equal(evaluate('${execution.processBusinessKey}', context), null);
      assert.equal(evaluate('${execution.getVariable("a")}', context), '<a>');
    });

    it('refuse what they do not know', () => {
      fails('${execution.secret}', /property 'secret'/, context);
      fails('${execution.kill()}', /found kill\(\)/, context);
    });

    it('go before variables only where Camunda says so', () => {
      assert.equal(evaluate('${a}', contextOf({ a: 1 }, { a: execution })), 1);
      assert.equal(evaluate('${a.id}', contextOf({}, { a: execution })), 'e-1');
    });

    it('are no functions, and functions are no beans', () => {
      fails('${execution()}', /expected 'execution' to be a function, but it is a bean/, context);
    });

    it('get dates as Date and whole Doubles as numbers', () => {
      const seen: unknown[] = [];
      const keep = (...args: unknown[]) => {
        seen.push(...args);
        return null;
      };
      evaluate('${keep(now(), 4 / 2, big)}', contextOf(variables, { keep }));
      assert.deepEqual(seen, [new Date(NOW), 2, 2n ** 60n]);
    });

    it('let what is not a refusal pass through: a bug stays a bug, a signal reaches its catcher', () => {
      const signal = new Error('signal');
      const ask = () => {
        throw signal;
      };
      assert.throws(() => evaluate('${ask()}', contextOf({}, { ask })), signal);
    });
  });
});
