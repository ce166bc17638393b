import { jsonLiteral } from '../literals.js';
import { reasons } from '../reasons.js';
import { rubyCheck } from './check.js';

/** `lib/tool_registry/runtime.rb` of packages in Ruby: what checks values and fills in defaults; the standard library alone. */
export const rubyRuntime = String.raw`
require "json"
require "set"

module ToolRegistry
  module Runtime
    # What a tool's specification says.
    Spec = ::Struct.new(:name, :version, :title, :description, :host, :input_schema, :output_schema, :digest, keyword_init: true)

    # What is wrong with a value: where (RFC 6901), the id of the reason, and the reason in words.
    Fault = ::Struct.new(:pointer, :reason, :detail)

    class Invalid < ::StandardError
      attr_reader :faults

      def initialize(what, faults)
        @faults = faults
        super(faults.map { |fault| "#{fault.pointer.empty? ? what : fault.pointer} #{fault.detail}" }.join("\n"))
      end
    end

    # The arguments are not what the input schema asks for.
    class InvalidArguments < Invalid
      def initialize(faults)
        super("The arguments", faults)
      end
    end

    # The implementation's result is not what the output schema asks for.
    class InvalidResult < Invalid
      def initialize(faults)
        super("The output", faults)
      end
    end

    class TooMuch < ::StandardError
    end

    PHRASES = ::JSON.parse(@REASONS@).freeze
    # Levels of a value, levels of checks within each other, checks of one value, and faults that are listed.
    MAX_DEPTH = 100
    MAX_NESTED = 200
    MAX_CHECKS = 1_000_000
    MAX_FAULTS = 1_000
    private_constant :TooMuch, :PHRASES, :MAX_DEPTH, :MAX_NESTED, :MAX_CHECKS, :MAX_FAULTS

    module_function

    def step(name)
      "/#{name.gsub("~", "~0").gsub("/", "~1")}"
    end

    def fault(pointer, reason, limit = nil)
      text = ::JSON.generate(limit)[0, 500]
      Fault.new(pointer, reason, PHRASES.fetch(reason, reason).sub("{limit}") { text })
    end

    # By pointer and reason, each once.
    def ordered(faults)
      faults.uniq { |fault| [fault.pointer, fault.reason] }.sort_by { |fault| [fault.pointer.b, fault.reason] }
    end

    # A copy that is JSON and nothing else, names as strings, whole numbers as Integer; what is none of it goes into the faults.
    def plain(value, at, depth, faults)
      raise TooMuch if depth > MAX_DEPTH

      case value
      when nil, true, false, ::Integer then value
      when ::Float then plain_number(value, at, faults)
      when ::String then plain_text(value, at, faults)
      when ::Array then value.each_with_index.map { |item, index| plain(item, "#{at}/#{index}", depth + 1, faults) }
      when ::Hash then plain_members(value, at, depth, faults)
      else
        faults << fault(at, "json")
        nil
      end
    end

    def plain_number(value, at, faults)
      faults << fault(at, "json") unless value.finite?
      value.finite? && value == value.floor && value.abs < 2**53 ? value.to_i : value
    end

    def plain_text(value, at, faults)
      text = value.encode(::Encoding::UTF_8)
      raise ::EncodingError unless text.valid_encoding?

      text
    rescue ::EncodingError
      faults << fault(at, "unicode")
      ""
    end

    def plain_members(value, at, depth, faults)
      value.each_with_object({}) do |(name, member), members|
        if name.is_a?(::String) || name.is_a?(::Symbol)
          wire = plain_text(name.to_s, at, faults)
          members[wire] = plain(member, at + step(wire), depth + 1, faults)
        else
          faults << fault(at, "json")
        end
      end
    end

    # The same for values that JSON Schema takes for the same.
    def key_of(value)
      case value
      when ::Array then [:list, value.map { |item| key_of(item) }]
      when ::Hash then [:object, value.transform_values { |member| key_of(member) }]
      when ::Integer, ::Float then [:number, value.to_f == 0 ? 0.0 : value.to_f]
      else value
      end
    end

    def types_of(value)
      case value
      when nil then ["null"]
      when true, false then ["boolean"]
      when ::Integer then ["integer", "number"]
      when ::Float then value == value.floor ? ["integer", "number"] : ["number"]
      when ::String then ["string"]
      when ::Array then ["array"]
      else ["object"]
      end
    end

    # Whether a fault says that an alternative is not the one meant: another type, or another constant in a member.
    def tells_apart?(fault, at)
      return ["type", "const"].include?(fault.reason) if fault.pointer == at

      ["const", "enum"].include?(fault.reason) && !(fault.pointer[(at.length + 1)..] || "").include?("/")
    end

@CHECK@
    # What a specification asks of arguments and results.
    class Contract
      attr_reader :spec

      def initialize(text)
        contract = ::JSON.parse(text, max_nesting: false)
        spec = contract["spec"]
        members = { input_schema: spec.delete("inputSchema"), output_schema: spec.delete("outputSchema") }
        @spec = Spec.new(**spec.transform_keys(&:to_sym), **members).freeze
        @patterns = contract["patterns"].transform_values { |source| ::Regexp.new(source) }
        @parameters = contract["parameters"].transform_values(&:to_sym)
        @further = contract["further"]
      end

      # Fills in defaults and checks. Gives arguments by the names of parameters; those that the specification does not name are
      # left out, or are in additional_properties where it allows them.
      #
      # Raises InvalidArguments.
      def parameters(given)
        value, faults = checked(@spec.input_schema, given, true)
        faults << Runtime.fault("", "type", "object") if faults.empty? && !value.is_a?(::Hash)
        raise InvalidArguments, faults unless faults.empty?

        named = @parameters.select { |wire, _| value.key?(wire) }.to_h { |wire, name| [name, value[wire]] }
        named[:additional_properties] = value.reject { |wire, _| @parameters.key?(wire) } if @further
        named
      end

      # Gives the answer back.
      #
      # Raises InvalidResult.
      def output(answer)
        schema = @spec.output_schema.nil? ? true : @spec.output_schema
        given = [["result", answer.result, schema]]
        given << ["metadata", answer.metadata, { "type" => "object" }] unless answer.metadata.nil?
        given << ["instruction", answer.instruction, { "type" => "string" }] unless answer.instruction.nil?
        faults = given.flat_map do |name, value, of|
          checked(of, value, false)[1].map { |fault| Fault.new("/#{name}#{fault.pointer}", fault.reason, fault.detail) }
        end
        raise InvalidResult, faults unless faults.empty?

        answer
      end

      private

      def checked(schema, given, fills)
        faults = []
        value = Runtime.plain(given, "", 0, faults)
        if faults.empty?
          check = Check.new(schema, @patterns)
          check.fill(schema, value, 0, []) if fills
          check.check(schema, value, "", 0, faults)
        end
        [value, Runtime.ordered(faults)]
      rescue TooMuch, ::SystemStackError
        [nil, [Runtime.fault("", "limit")]]
      end
    end

    # JSON of an output: result, metadata and instruction, of which the last two are left out where they are nil.
    module Wire
      def to_wire
        given = { "result" => result, "metadata" => metadata, "instruction" => instruction }
        faults = []
        wire = given.reject { |name, value| value.nil? && name != "result" }.to_h do |name, value|
          [name, Runtime.plain(value, "/#{name}", 0, faults)]
        end
        raise InvalidResult, Runtime.ordered(faults) unless faults.empty?

        wire
      end
    end
  end
end
`
  .trimStart()
  .replace('@REASONS@', () => jsonLiteral(reasons))
  .replace('@CHECK@\n', () => rubyCheck);
