# Implements every tool by what it was given, and answers calls: a line of JSON in, a line of JSON out.
require "json"
require "tool_registry"

IMPLEMENTATIONS = Hash.new do |known, name|
  registry = Object.const_get(name)
  echo = Class.new(registry::Base) do
    define_method(:call) do |**given|
      given = given.transform_keys(&:to_s)
      given.update(given.delete("additional_properties") || {})
      if given.key?("result")
        registry::Output.new(result: given["result"], metadata: given["metadata"], instruction: given["instruction"])
      else
        registry::Output.new(result: given)
      end
    end
  end
  known[name] = [echo.new, registry.spec]
end

$stdout.sync = true
$stdin.set_encoding("UTF-8")
$stdin.each_line do |line|
  call = JSON.parse(line)
  echo, spec = IMPLEMENTATIONS[call["module"]]
  begin
    given = JSON.parse(call["text"], max_nesting: false)
    answer = { version: spec.version, answer: echo.execute(given).to_wire }
  rescue ToolRegistry::Runtime::Invalid => error
    faults = error.faults.map { |fault| [fault.pointer, fault.reason] }
    answer = { error: error.class.name.split("::").last, faults: faults, message: error.message }
  end
  puts JSON.generate(answer)
end
