import assert from 'node:assert/strict';
import { readXml, readYaml } from '../../../src/eip/model/read-routes.js';
import type { RouteFile } from '../../../src/eip/model/route-model.js';

const plain = (file: RouteFile | undefined): unknown =>
  JSON.parse(JSON.stringify(file ?? null, (key, value) => (key === 'at' ? undefined : value)));
const problemsOf = (xml: string) =>
  readXml(xml).errors.map(({ line, column, element, message }) => `${line}:${column} ${element}: ${message}`);

describe('routes in XML', () => {
  const same: [what: string, xml: string, yaml: string][] = [
    [
      'routes',
      `<?xml version="1.0"?>
<routes xmlns="http://camel.apache.org/schema/spring" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
  <!-- a comment -->
  <route id="a" autoStartup="false" customId="true">
    <from uri="timer:tick?period=5&amp;delay=1"/>
    <setBody id="b"><simple trim="false">\${header.a} &lt; 5</simple></setBody>
    <choice>
      <when><simple>\${body} == 'a'</simple><to uri="mock:a"/></when>
      <otherwise><log message="hi" loggingLevel="WARN"/></otherwise>
    </choice>
  </route>
  <route><from uri="direct:b"/><stop/></route>
</routes>`,
      `
- route:
    id: a
    autoStartup: false
    from:
      uri: timer:tick?period=5&delay=1
      steps:
        - setBody: { id: b, simple: { expression: "\${header.a} < 5", trim: false } }
        - choice:
            when: [{ simple: "\${body} == 'a'", steps: [{ to: mock:a }] }]
            otherwise: { steps: [{ log: { message: hi, loggingLevel: WARN } }] }
- from: { uri: direct:b, steps: [{ stop: {} }] }`,
    ],
    [
      'blocks, lists and parts',
      `<route>
  <from uri="direct:a"/>
  <doTry>
    <split parallelProcessing="true"><tokenize token=","/><to uri="mock:a"/></split>
    <doCatch><exception>a.B</exception><exception>a.C</exception><onWhen><simple>x</simple></onWhen><to uri="mock:b"/></doCatch>
    <doFinally><to uri="mock:c"/></doFinally>
  </doTry>
  <setHeaders><setHeader name="a"><constant>1</constant></setHeader><setHeader name="b"><header>c</header></setHeader></setHeaders>
  <aggregate completionSize="2" aggregationStrategy="s"><correlationExpression><constant>true</constant></correlationExpression><to uri="mock:d"/></aggregate>
  <marshal><json library="Jackson"/></marshal>
  <loadBalance><failoverLoadBalancer maximumFailoverAttempts="2"><exception>a.B</exception></failoverLoadBalancer><to uri="mock:e"/></loadBalance>
</route>`,
      `
- from:
    uri: direct:a
    steps:
      - doTry:
          steps: [{ split: { parallelProcessing: true, tokenize: { token: "," }, steps: [{ to: mock:a }] } }]
          doCatch: [{ exception: [a.B, a.C], onWhen: { simple: x }, steps: [{ to: mock:b }] }]
          doFinally: { steps: [{ to: mock:c }] }
      - setHeaders: { headers: [{ name: a, constant: 1 }, { name: b, header: c }] }
      - aggregate: { completionSize: 2, aggregationStrategy: s, correlationExpression: { constant: true }, steps: [{ to: mock:d }] }
      - marshal: { json: { library: Jackson } }
      - loadBalance: { failoverLoadBalancer: { maximumFailoverAttempts: 2, exception: [a.B] }, steps: [{ to: mock:e }] }`,
    ],
    [
      'what holds for routes',
      `<camel>
  <bean name="b" type="#class:a.B"><properties><property key="c"><properties><property key="d" value="1"/></properties></property></properties><constructors><constructor value="x"/><constructor value="y"/></constructors></bean>
  <routeConfigurations>
    <routeConfiguration id="quiet">
      <errorHandler><deadLetterChannel deadLetterUri="mock:dead"><redeliveryPolicy maximumRedeliveries="3"/></deadLetterChannel></errorHandler>
      <onException><exception>a.B</exception><handled><constant>true</constant></handled><to uri="mock:a"/></onException>
      <onException><exception>a.C</exception><to uri="mock:a"/></onException>
    </routeConfiguration>
  </routeConfigurations>
  <rests><rest path="/a"><get path="/b"><param name="c" type="query"/><to uri="direct:b"/></get><get path="/d"><to uri="direct:d"/></get></rest></rests>
</camel>`,
      `
- beans: [{ name: b, type: "#class:a.B", properties: { c: { d: "1" } }, constructors: { "0": x, "1": y } }]
- routeConfiguration:
    id: quiet
    errorHandler: { deadLetterChannel: { deadLetterUri: mock:dead, redeliveryPolicy: { maximumRedeliveries: 3 } } }
    onException:
      - onException: { exception: [a.B], handled: { constant: true }, steps: [{ to: mock:a }] }
      - onException: { exception: [a.C], steps: [{ to: mock:a }] }
- rest: { path: /a, get: [{ path: /b, param: [{ name: c, type: query }], to: direct:b }, { path: /d, to: direct:d }] }`,
    ],
    [
      'templates',
      `<routeTemplates>
  <routeTemplate id="t"><templateParameter name="a" defaultValue="1"/><templateBean name="b" type="a.B"><script>1 &lt; 2</script></templateBean>
    <route><from uri="direct:{{a}}"/><to uri="mock:a"/></route></routeTemplate>
  <templatedRoute routeTemplateRef="t" routeId="one"><parameter name="a" value="2"/></templatedRoute>
</routeTemplates>`,
      `
- routeTemplate:
    id: t
    parameters: [{ name: a, defaultValue: "1" }]
    beans: [{ name: b, type: a.B, script: "1 < 2" }]
    from: { uri: "direct:{{a}}", steps: [{ to: mock:a }] }
- templatedRoute: { routeTemplateRef: t, routeId: one, parameters: [{ name: a, value: "2" }] }`,
    ],
    [
      'prefixes of XPath, and texts as they stand',
      `<route xmlns:p="urn:p"><from uri="direct:a"/><setBody><xpath resultType="String">/p:a</xpath></setBody><setBody><constant> </constant></setBody><setBody><constant><![CDATA[<a>
</a>]]></constant></setBody></route>`,
      `
- from:
    uri: direct:a
    steps:
      - setBody: { xpath: { resultType: String, expression: "/p:a", namespace: [{ key: p, value: urn:p }] } }
      - setBody: { constant: " " }
      - setBody: { constant: "<a>\\n</a>" }`,
    ],
  ];
  for (const [what, xml, yaml] of same)
    it(`are those in YAML: ${what}`, () => {
      const [read, wanted] = [readXml(xml), readYaml(yaml)];
      assert.deepEqual([read.errors, wanted.errors], [[], []]);
      assert.deepEqual(plain(read.file), plain(wanted.file));
    });

  it('say where they stand', () => {
    const [route] =
      readXml('<routes>\r\n  <route>\r\n    <from uri="direct:a"/>\r\n    <to uri="mock:a"/></route></routes>').file
        ?.routes ?? [];
    assert.deepEqual(
      [route?.at, route?.steps[0]?.at],
      [
        { line: 2, column: 3 },
        { line: 4, column: 5 },
      ],
    );
  });

  it('may hold for one route what configurations hold for several', () => {
    const [route] =
      readXml(
        '<route><from uri="direct:a"/><onException><exception>a.B</exception><stop/></onException><stop/></route>',
      ).file?.routes ?? [];
    assert.deepEqual(route?.scoped.onException[0]?.options.exception, ['a.B']);
    assert.deepEqual(
      route?.steps.map(({ kind }) => kind),
      ['stop'],
    );
  });

  const inRoute = (steps: string) => `<route>\n  <from uri="direct:a"/>\n  ${steps}\n</route>`;
  const wrong: [xml: string, problem: RegExp][] = [
    [inRoute('<setBdy/>'), /^3:3 setBdy: expected a step, but found setBdy: is setBody meant\?$/],
    [
      inRoute('<setBody><simpel>a</simpel></setBody>'),
      /^3:12 setBody: expected an option of setBody, but found simpel: is simple meant\?$/,
    ],
    [inRoute('<to url="mock:a"/>'), /^3:3 to: expected an option of to, but found url: is uri meant\?$/],
    [
      inRoute('<split parallelProcessing="x"><simple>a</simple></split>'),
      /^3:3 split: expected true or false for parallelProcessing of split, but found 'x'$/,
    ],
    [inRoute('<saga/>'), /saga comes with a later version/],
    [inRoute('<setBody><groovy>a</groovy></setBody>'), /groovy is not run here/],
    [inRoute('some text <stop/>'), /^1:1 route: expected no text in route, but found 'some text'$/],
    ['<route/>', /expected from for route/],
    ['<camelContext/>', /^1:1 null: expected routes, .* but found camelContext$/],
    ['<routes><rout/></routes>', /^1:9 rout: expected route, .* but found rout: is route meant\?$/],
    ['<route><from></route>', /^1:\d+ null: expected XML: /],
    ['<!DOCTYPE a [<!ENTITY b "c">]><route/>', /expected no DOCTYPE/],
    ['<route><from uri="&b;"/></route>', /expected XML: .*entity/],
    ['', /expected (XML|an element)/],
    [`${'<a>'.repeat(200)}`, /at most 100 levels/],
  ];
  for (const [xml, problem] of wrong)
    it(`tell of ${xml.slice(0, 60).replaceAll('\n', ' ')}`, () =>
      assert.match(problemsOf(xml)[0] ?? 'nothing', problem));

  it('are refused when they are too large', () => {
    const limits = { bytes: 1000, elements: 10, depth: 100 };
    assert.match(
      readXml(`<routes>${'<route/>'.repeat(11)}</routes>`, { limits }).errors[0]?.message ?? '',
      /at most 10 elements/,
    );
  });
});
